import { requestFor, type DeclaredRead, type KindOperations } from "../kind/deployment.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { atPointer } from "../../json/json-pointer.js";
import { asId, foldedId } from "../kind/id.js";
import type { ObservedObject } from "../../generated/observation.js";
import type { Outcome, Service } from "./service.js";

/** What the service answered about one object. */
export type Seen =
  | {
      readonly state: "found";
      readonly body: JsonObject;
      /** Set if parts of the answer were removed because they have the value of a secret. */
      readonly isWithheld?: true;
    }
  | { readonly state: "gone" }
  /** It may be there or not. */
  | Unreadable;

/** Why an object could not be read, in words and as data. */
export interface Unreadable {
  readonly state: "unreadable";
  readonly why: string;
  readonly code: NonNullable<ObservedObject["code"]>;
  /** Of the request that failed. */
  readonly status?: number;
}

/** Reads one object with the deployment's `read`. */
export async function readObject(service: Service, read: DeclaredRead, id: string): Promise<Seen> {
  return seenIn(await service.ask(requestFor(read, id), "read"), read, id);
}

// A proxy or a wrong path may answer 200 with something else, such as the object that refers to this one.
function notOf(id: string, answer: Json, body: JsonObject, read: DeclaredRead): Unreadable | undefined {
  const { id: pointer, idFields } = read;
  const shown = pointer === undefined ? idFields.map((field) => body[field]) : [atPointer(answer, pointer)];
  const ids = shown.flatMap((value) => asId(value) ?? []);
  if (ids.map(foldedId).includes(foldedId(id))) return undefined;
  if (ids.length > 0) {
    return {
      state: "unreadable",
      code: "other-object",
      why: "the answer is about an object with another ID",
    };
  }
  const places = (pointer === undefined ? idFields : [pointer]).map((place) => `\`${place}\``);
  const where = [places.slice(0, -1).join(", "), places.at(-1)].filter(Boolean).join(" or ");
  const why = `the answer has no ID in ${where}, so it may be about another object; if it has one elsewhere, \`id\` of \`read\` in the manifest says where`;
  return { state: "unreadable", code: "no-id", why };
}

function seenIn(outcome: Outcome, read: DeclaredRead, id: string): Seen {
  const { object, gone } = read;
  if (outcome.type !== "success") {
    const { message: why, status } = outcome;
    if (outcome.type === "rejected" && gone.includes(outcome.status)) return { state: "gone" };
    return { state: "unreadable", code: "request-failed", why, ...(status !== undefined && { status }) };
  }
  const body = objectAt(outcome.answer, object);
  if (body) {
    const withheld = outcome.withheld === true ? ({ isWithheld: true } as const) : {};
    return notOf(id, outcome.answer, body, read) ?? { state: "found", body, ...withheld };
  }
  const where = object === "" ? "" : ` at \`${object}\``;
  return { state: "unreadable", code: "no-object", why: `the answer has no object${where}` };
}

/** Gives the object at a JSON pointer of an answer. */
export function objectAt(answer: Json, pointer: string): JsonObject | undefined {
  const value = atPointer(answer, pointer);
  return isObject(value) ? value : undefined;
}

/** Whether a deployment can say what there is of a kind. */
export function canLook(operations: KindOperations | undefined): boolean {
  return operations?.read !== undefined || operations?.list !== undefined;
}
