import type { NoteCode } from "../../generated/codes.js";
import type { Action, GuardrailNote } from "../../generated/plan.js";
import type { JsonObject } from "../../json/json.js";
import type { ResourceLifecycle } from "../resources/resource.js";
import type { KindName } from "../../generated/kinds.js";
import type { Deployment } from "../kind/deployment.js";
import type { Mentions } from "./mention.js";
import type { PartsOfNotes } from "./note-parts.js";
import type { OperationsOf, SortedOperations } from "./operations.js";

/** The effects of notes, the gravest first. */
export const effects = ["weakens", "widens", "review"] as const satisfies readonly GuardrailNote["effect"][];

/** One result of a rule for one resource. */
export interface Remark<Data = PartsOfNotes[NoteCode]> {
  readonly parts: Data;
  /** The field, written like the path of a change. */
  readonly path?: string;
  /** The reference in question, which tells apart several changes below the path. */
  readonly reference?: string;
}

/** A result of the rule with a code. */
export type RemarkOf<Key extends NoteCode> = Remark<PartsOfNotes[Key]>;

/** One side of a change. */
export interface Side {
  /** The symbolic body; empty if there is no document. */
  readonly body: JsonObject;
  readonly mentions: () => Mentions;
  readonly lifecycle: Pick<ResourceLifecycle, "protect" | "on_removal" | "on_replaced">;
  /** The operations of the tool sets of this side. */
  readonly operations: OperationsOf;
}

/** What has a secret: what was applied, or else another workspace that the job plans, or another environment. */
export type SecretHolder = "applied" | "nearby";

/** A resource that an action touches. */
export interface Subject {
  readonly address: string;
  readonly causes: NonNullable<Action["causes"]>;
  /** The last applied state; everything is empty for a create. */
  readonly before: Side;
  readonly after: Side;
  readonly action: Action["action"];
  readonly deployment: Deployment;
  /** The complete documents behind the outlines of the body, by field. */
  readonly documents: JsonObject;
  /** The fields of the body that are not the same on both sides. */
  readonly changed: ReadonlySet<string>;
  /** The name that a reference of now had when it was applied, if that was another one. */
  readonly formerName: (reference: string) => string | undefined;
  /** The operations that a tool set has now and did not have before. */
  readonly added: (toolset: string) => SortedOperations;
  /** Whether a variable is a key that agentform itself uses, for the service, its state or git. */
  readonly isOwnSecret: (variable: string) => boolean;
  /** What has a secret variable that a field of a body would send to another place. */
  readonly goesElsewhere: (
    address: string,
    body: JsonObject,
    field: string,
    variable: string,
  ) => SecretHolder | undefined;
  /** Whether it was not applied before, so that there is nothing to compare it with. */
  readonly isNew: boolean;
  /** Whether anything of the workspace was applied before. */
  readonly isBegun: boolean;
  /** Whether any agent of the workspace refers to a policy, or did when it was last applied. */
  readonly isPolicyInUse: () => boolean;
  /** Whether a policy may allow what another one does not; nobody knows where the workspace does not have both. */
  readonly mayAllowMore: (policy: string, than: string) => boolean;
}

/** What happens to a resource that a rule looks at. */
export type Occasion = "create" | "change" | "forget" | "delete";

/** One kind of change that a plan points out. */
export interface Rule<Key extends NoteCode = NoteCode> {
  readonly code: Key;
  readonly effect: GuardrailNote["effect"];
  readonly kinds: readonly KindName[];
  /** Whether it looks at new resources, at those that change, or at those without a document, left in the service or deleted. */
  readonly on: Occasion | readonly Occasion[];
  readonly find: (subject: Subject) => RemarkOf<Key>[];
  /** The field that has to change for it to find anything. */
  readonly field?: string;
}
