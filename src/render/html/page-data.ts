import type { Action, GuardrailNote } from "../../generated/plan.js";
import type { KnownWord } from "../words/known-words.js";

/** A part of a line; in a list of its own, one that changed. */
export type PageSegment = string | readonly [changed: string];

/** A line of a difference: context, removed, added, a line number that follows, or something said in words. */
export type PageLine =
  | readonly [kind: " " | "-" | "+", ...segments: PageSegment[]]
  | readonly [kind: "@", line: number]
  | readonly [kind: "!", text: string];

/** One change of a field; every text is safe to show. */
export interface PageChange {
  readonly path: string;
  readonly sign: "+" | "-" | "~";
  /** The file and line that the new value comes from, if not the document's own. */
  readonly origin?: string;
  /** What a hand in the service has to do with it. */
  readonly hand?: string;
  /** What stands beside the path. */
  readonly said?: string;
  /** A short value. */
  readonly before?: string;
  readonly after?: string;
  readonly lines?: readonly PageLine[];
}

/** An action of the plan by its index, or an address that the plan does not act on. */
export type PageAddress = number | string;

/** One action of the plan; every text is safe to show. */
export interface PageAction {
  readonly address: string;
  readonly action: Action["action"];
  readonly file?: string;
  /** Its reasons, by their index. */
  readonly reasons: readonly number[];
  /** Its changes, by their index; an edit that others share is the one of the first of them. */
  readonly changes: readonly number[];
  /** How many changes are left out. */
  readonly left: number;
  /** What follows from the action, in sentences. */
  readonly consequences: readonly string[];
  /** The commands that resolve an unknown outcome. */
  readonly commands: readonly string[];
  /** The first of what it affects, and how much that is in all. */
  readonly affects: readonly PageAddress[];
  readonly affectsCount: number;
  /** Whether it affects still more than that, which the plan does not count. */
  readonly affectsMore?: true;
  /** How many objects stay behind. */
  readonly leaves: number;
  /** How many objects are deleted at the end, if any. */
  readonly deletes?: number;
}

/** What refers to what, by index: actions first, in their order, then the others. */
export interface PageGraph {
  /** Addresses of neighbours that the plan does not act on. */
  readonly others: readonly string[];
  /** From each dependent to what it depends on. */
  readonly edges: readonly (readonly [from: number, to: number])[];
}

/** Equal guardrail notes of one or more resources; every text is safe to show. */
export interface PageNote extends Pick<GuardrailNote, "code" | "effect" | "message"> {
  readonly addresses: readonly PageAddress[];
  /** The change that the note is about, by its index. */
  readonly change?: number;
}

/** The edits of one resource that no other resource has. */
export interface PageEdits {
  readonly action: number;
  /** Whether the resource as a whole is created, adopted, forgotten, moved or recorded. */
  readonly isWhole: boolean;
  /** By their indices; of a new resource all of its fields. */
  readonly changes: readonly number[];
  /** Says which of its edits no guardrail note is about, if there are any. */
  readonly notJudged?: string;
}

/** An edit that several resources share. */
export interface PageGroup {
  /** In how many of the resources it is, in which not, and whether it is judged. */
  readonly title: string;
  readonly change: number;
  /** Whether the others have the same changed words in lines that differ. */
  readonly linesDiffer?: true;
  readonly actions: readonly number[];
}

/** What the plan does in the order of a review, actions and changes by their indices. */
export interface PageReview {
  /** How many distinct edits there are, in a sentence. */
  readonly counted: string;
  /** Actions that wait for a person. */
  readonly held: readonly number[];
  readonly onlyHere: readonly PageEdits[];
  readonly groups: readonly PageGroup[];
  /** Actions that only follow from others. */
  readonly consequences: readonly number[];
  /** The fields of edits that no guardrail note is about, and in how many resources they are edited. */
  readonly notJudged: readonly { readonly field: string; readonly resources: number }[];
  /** How many new resources no guardrail note is about. */
  readonly newNotJudged: number;
  /** What stays in the service, and what to do about it, in sentences. */
  readonly leftBehind: readonly string[];
}

/** A warning or note of the workspace, equal ones once; every text is safe to show. */
export interface PageWarning {
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly message: string;
  readonly hint?: string;
  readonly places: readonly string[];
}

/** One edit of the state; every text is safe to show. */
export interface PageStateEdit {
  readonly name: PageAddress;
  /** What it is, and what was done to it. */
  readonly sort: string;
  readonly changes: readonly PageChange[];
}

/** All that the page shows. */
export interface PageData {
  /** The command of which it is the result. */
  readonly command: "plan" | "drift" | "prune";
  readonly workspace: string;
  readonly environment: string | null;
  /** What the plan was compared with and narrowed by, in sentences. */
  readonly compared: readonly string[];
  readonly partial: boolean;
  /** What stands out, in sentences. */
  readonly verdict: readonly string[];
  /** How much of what the plan does, in one line. */
  readonly summary: string;
  readonly unchanged: number;
  readonly digest: string;
  /** What the change does to the state itself. */
  readonly state: readonly PageStateEdit[];
  /** How the settings differ from those of the last apply. */
  readonly settings: readonly PageChange[];
  readonly notes: readonly PageNote[];
  readonly review: PageReview;
  readonly warnings: readonly PageWarning[];
  /** Words of the plan that no part of it explains. */
  readonly words: readonly KnownWord[];
  /** Every change that is shown, equal ones once. */
  readonly changes: readonly PageChange[];
  /** Every reason, equal ones once. */
  readonly reasons: readonly string[];
  readonly actions: readonly PageAction[];
  readonly graph: PageGraph;
}
