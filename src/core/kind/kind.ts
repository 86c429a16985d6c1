import type { DocumentField } from "../../generated/fields.js";
import type { DocumentKind, KindName } from "../../generated/kinds.js";
import type { Finding, Place } from "../finding/diagnostic.js";
import type { Budget } from "../../json/budget.js";
import type { Json, JsonObject } from "../../json/json.js";
import type { Operation } from "../openapi/openapi.js";
import type { Path } from "../../json/path.js";
import type { Validate } from "../../json/validate.js";

/** Which of the service's two addresses a request goes to. */
export type Host = "base" | "rai";

/** One request to the service; segments of the path are percent-encoded already. */
export interface ServiceRequest<Method extends string = string> {
  readonly host: Host;
  readonly method: Method;
  readonly path: string;
  /** The query, without its question mark. */
  readonly query?: string;
}

/** What references stand for, each as the lock names it: an ID, or the IDs of a whole tool set. */
export type References = Record<string, string | string[]>;

/** A request whose body is symbolic until its bytes are written, so that nothing a service answers gets into it. */
export interface BodyRequest extends ServiceRequest<"POST" | "PUT"> {
  readonly body: JsonObject;
  /** What the references in the body stand for, once that is known. */
  readonly references?: References;
}

/** The IDs of one object: one ID, or for a tool set one a tool; neither where the service answers none. */
export interface Identity {
  readonly id?: string;
  readonly ids?: readonly string[];
  /** Which operation is which tool, where that is known. */
  readonly tools?: Readonly<Record<string, string>>;
  /** What was answered of each tool, where it is not sure which member is its ID; there are no IDs then. */
  readonly candidates?: readonly Readonly<Record<string, string>>[];
}

/** What the manifest says that bears on reading an answer. */
export interface AnswerSettings {
  /** A JSON pointer to the ID, where it is not in the usual field. */
  readonly idPointer?: string;
  /** A JSON pointer to the ID in each object of a list of them, where that has to be said. */
  readonly entryPointer?: string;
  /** Whether tool IDs are answered in the order of the operations. */
  readonly documentOrder: boolean;
}

/** A body, with the documents that the lock keeps only as outlines. */
export interface Content {
  /** The body, large documents as outlines. */
  readonly body: JsonObject;
  /** The complete documents by field. */
  readonly documents: JsonObject;
  /** The fields whose documents are too large for a complete outline. */
  readonly tooLarge?: readonly string[];
}

/** Where the values of a document are written. */
export interface WrittenPlaces {
  readonly place: (path: Path) => Place;
  /** Whether the value at a path may be shown: it is written in the document itself. */
  readonly isQuotable: (path: Path) => boolean;
  /** The limit of the workspace, for what a document is read for. */
  readonly all?: Pick<Budget, "spend" | "isSpent">;
}

/** A body without what its document does not choose. */
export interface Selection {
  readonly body: JsonObject;
  readonly leftOut: readonly Operation[];
  readonly findings: readonly Finding[];
}

/** One tool as a list or a read gives it, its fields named as in documents. */
export interface ObjectPart {
  readonly id: string;
  readonly body: JsonObject;
}

/** What is one object of a workspace, and several in the service. */
export interface GatheredParts {
  /** In the order of the operations. */
  readonly parts: readonly ObjectPart[];
  readonly body: JsonObject;
  /** The operations that it has, if they are not all of its document's. */
  readonly picks?: readonly string[];
  /** Why it cannot be made of these. */
  readonly problem?: string;
}

/** Which references fields take, by their paths below `spec` without the positions in lists; null for those that take none. */
export type ReferencePlaces = Readonly<Record<string, KindName | null>>;

/** What is specific to one kind; beside it only the guardrail rules ask for a kind by its name. */
export interface Kind {
  readonly name: KindName;
  readonly document: DocumentKind;
  /** The words for one, and for several. */
  readonly noun: readonly [one: string, many: string];
  /** The folder that a workspace has for its documents, if it says nothing else. */
  readonly folder: string;
  /** The field with the name that people know an object by. */
  readonly title: string;
  /** The fields whose long texts are kept in files of their own. */
  readonly prose: readonly string[];
  /** The words for it in the names of fields, such as `policy_id` or `tools`. */
  readonly words: readonly string[];
  /** Checks a whole document against the kind's schema. */
  readonly validate: Validate;
  readonly fields: DocumentField;
  readonly places: ReferencePlaces;
  /** Whether its objects guard others, so that who has another one instead may be guarded less. */
  readonly guards: boolean;
  /** Whether its objects are there to hold secrets, so that those of a new one need no look. */
  readonly holdsSecrets: boolean;
  readonly create: ServiceRequest<"POST">;
  /** Whether an unknown field is an error, or a warning and sent untouched. */
  readonly unknownField: "error" | "warning";
  /** The fields whose change needs a new object; "any" where the service has no update. */
  readonly replacedBy: "any" | readonly string[];
  /** Whether an update sends the whole body, so that the service keeps nothing else of what documents can say. */
  readonly updatesWhole?: boolean;
  /** Fields that are only sent at creation, and never cause an action. */
  readonly creationOnly: ReadonlySet<string>;
  /** The fields that have rules of their own for notes, or that neither guard nor reach anything: a change of any other is a note. */
  readonly judged: readonly string[];
  /** The fields that are outlines in bodies, locks and plans; no other field is one. */
  readonly outlined: readonly string[];
  /** Leaves out of the body of a checked document what other fields of the document do not choose. */
  select?(document: JsonObject, written: WrittenPlaces): Selection;
  /** Turns fields with large documents into outlines. */
  outline(body: JsonObject): Content;
  /** Gives a body, to be compared with another, without what alone is no change: what no request is made for. */
  essence?(body: JsonObject, other: JsonObject): JsonObject;
  /** Whether a body that was read from a lock, journal or plan has the outlines that `outline` gives; it has unless said. */
  isOutlined?(body: JsonObject): boolean;
  /** Rules between fields that a schema cannot say. */
  check(body: JsonObject, place: (...path: Path) => Place, extra: readonly string[]): Finding[];
  /** For a kind that has one ID a tool: the operations that its body defines, each of them a tool. */
  operations?(body: JsonObject): Operation[];
  /** The complete body of the create. */
  creation(body: JsonObject): JsonObject;
  /** The requests that update some fields of an object; a field that the body lacks is removed. */
  update(identity: Identity, fields: readonly string[], body: JsonObject): BodyRequest[];
  /** Whether a text that looks like a name may be an ID of the kind. */
  isId?(text: string): boolean;
  /** The fields of an object that may be its ID, the likeliest first. */
  readonly idFields: readonly string[];
  /** Gives what an answer says of an object as documents say it; as it is unless said. */
  recognise?(body: JsonObject): JsonObject;
  /** For a kind that has one ID a tool: makes whole objects of tools; the body has the fields that documents can have. */
  gather?(parts: readonly ObjectPart[], isField: (name: string) => boolean): GatheredParts[];
  /** Finds the IDs in a create's answer; undefined if they are missing and the kind needs them. */
  identify(answer: Json, body: JsonObject, settings: AnswerSettings): Identity | undefined;
}
