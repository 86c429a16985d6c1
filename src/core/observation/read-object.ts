import type { KindOperations, DeclaredRead } from "../kind/deployment.js";
import { requestFor } from "../kind/deployment.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { atPointer } from "../../json/json-pointer.js";
import { asId } from "../kind/id.js";
import type { ObservedObject } from "../../generated/observation.js";
import type { Kind } from "../kind/kind.js";
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
export async function readObject(
  service: Service,
  kind: Kind,
  read: DeclaredRead,
  id: string,
): Promise<Seen> {
  const request = requestFor(read, id);
  const seen = seenIn(await service.ask(request, "read"), read);
  if (seen.state !== "found" || isOf(seen.body, kind, id)) return seen;
  return {
    state: "unreadable",
    code: "other-object",
    why: "the answer is not about the object with this ID",
  };
}

// A proxy or a wrong path may answer 200 with something else. Where the ID is not shown, the fields must be.
function isOf(body: JsonObject, { idFields, fields }: Kind, id: string): boolean {
  if (Object.values(body).some((value) => asId(value) === id)) return true;
  if (idFields.some((field) => asId(body[field]) !== undefined)) return false;
  const known = fields.fields?.spec?.fields ?? {};
  return Object.keys(body).some((field) => Object.hasOwn(known, field));
}

function seenIn(outcome: Outcome, { object, gone }: DeclaredRead): Seen {
  if (outcome.type !== "success") {
    const { message: why, status } = outcome;
    if (outcome.type === "rejected" && gone.includes(outcome.status)) return { state: "gone" };
    return { state: "unreadable", code: "request-failed", why, ...(status !== undefined && { status }) };
  }
  const body = objectAt(outcome.answer, object);
  if (body) return { state: "found", body, ...(outcome.withheld === true && { isWithheld: true }) };
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
