import { say, type Sentence } from "../finding/said.js";
import type { StateChoice } from "../state/state-choice.js";
import type { Listed } from "../observation/list-objects.js";
import { foldedId } from "../kind/id.js";
import type { Kind } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { JsonObject } from "../../json/json.js";
import type { Fleet } from "../resources/fleet.js";
import type { Lock } from "../state/lock.js";
import type { AnswerReading } from "./found-object.js";
import type { DocumentWriting } from "./written-object.js";

/** What a list of a kind gave. */
export interface KindListing {
  readonly kind: Kind;
  readonly objects: readonly Listed[];
  /** Whether parts of the answers were removed because they have the value of a secret. */
  readonly isWithheld: boolean;
}

/** Another environment of the workspace, or another workspace of the repository in one. */
export interface ElsewhereName {
  readonly environment: string;
  /** Its folder from the top of the repository. */
  readonly workspace?: string;
}

/** Names an environment of the workspace, or another workspace. */
export function elsewhereText({ environment, workspace }: ElsewhereName): Sentence {
  return workspace === undefined
    ? say`the environment ${{ environment }}`
    : say`the workspace in ${{ source: workspace }}`;
}

/** Tells the objects of all kinds apart, such as `agent:66f1`; an ID may be that of one of each kind. */
export function objectKey(address: string, id: string): string {
  return `${kindOfAddress(address).name}:${foldedId(id)}`;
}

/** Who has an object, and whether it is only left behind there. */
export interface ElsewhereOwner extends ElsewhereName {
  readonly address: string;
  readonly isLeft: boolean;
}

/** A document there whose next apply takes an object over. */
export interface PromisedElsewhere extends ElsewhereName {
  readonly address: string;
}

/** What the other environments of a workspace, and other workspaces of its repository, have in the same service. */
export interface Elsewhere {
  /** Who has each object that is managed or left behind there, by `objectKey`. */
  readonly owners: ReadonlyMap<string, ElsewhereOwner>;
  /** The creates of unknown outcome. */
  readonly unknown: readonly UnknownElsewhere[];
}

/** A create of unknown outcome there. */
export interface UnknownElsewhere extends ElsewhereName {
  readonly address: string;
  readonly body: JsonObject;
}

/** What an import is made of. */
export interface Importing extends DocumentWriting, AnswerReading {
  readonly listings: readonly KindListing[];
  /** The objects that were asked for, by `objectKey`; all unless given. */
  readonly wanted?: ReadonlySet<string>;
  readonly fleet: Fleet;
  readonly lock: Lock;
  /** What chooses the state, for the commands that a person is given. */
  readonly choice: StateChoice;
  readonly elsewhere: Elsewhere;
  /** Whose documents are to take over what object, by `objectKey`, of other environments and workspaces. */
  readonly promised: ReadonlyMap<string, PromisedElsewhere>;
  /** The first IDs of what an import that did not end was writing, by address. */
  readonly unfinished: ReadonlyMap<string, string>;
  readonly isFile: (file: string) => boolean;
}
