import { filterMembers, isObject, type JsonObject } from "../../json/json.js";
import { firstKey } from "../../json/json-pointer.js";
import { referencesIn } from "../expression/reference.js";
import type { Deployment } from "../kind/deployment.js";
import { kindOfAddress } from "../kind/kinds.js";
import { isNeverSent } from "../state/attempts.js";
import { defined } from "../state/defined.js";
import { retiredAt } from "../state/known-ids.js";
import type { Lock, LockEntry } from "../state/lock.js";
import type { ServiceObject } from "../state/object-users.js";
import { addedSince, isTime, ownValue } from "./baseline.js";
import { differentFields, sightingsOf } from "./entry-sighting.js";
import { observedObject, type Observing } from "./observe.js";
import { readObject } from "./read-object.js";

/** What the service shows of an object that was left behind, beside what it was last sent. */
export type LeftObject =
  | { readonly state: "same" | "gone" }
  /** Fields that the service has in another way. */
  | { readonly state: "other"; readonly fields: readonly string[] }
  | { readonly state: "unreadable"; readonly why: string }
  /** It cannot be compared, as there is no `read` or nothing to compare with; with its name, if that is shown. */
  | { readonly state: "untold"; readonly name?: string };

/** Whether an object can be told from one whose ID was adopted by mistake before it is deleted. */
export function canTellApart(address: string, entry: LockEntry, deployment: Deployment): boolean {
  const kind = kindOfAddress(address);
  const isCompared = kind.replacedBy === "any" && deployment[kind.name]?.read !== undefined;
  return isCompared || !isNeverSent(entry);
}

/** Reads an object that was left behind, and compares it with what it was last sent. */
export async function lookAtLeft(
  { id, address }: ServiceObject,
  lock: Pick<Lock, "retired">,
  { service, deployment, fieldNames }: Pick<Observing, "service" | "deployment" | "fieldNames">,
): Promise<LeftObject> {
  const kind = kindOfAddress(address);
  const read = deployment[kind.name]?.read;
  if (!read) return { state: "untold" };
  const retired = retiredAt(lock, address, id);
  const { body = {}, references = {}, baseline } = retired ?? {};
  const entry = { body, references };
  const seen = observedObject({ kind, id, entry }, await readObject(service, read, id), fieldNames);
  if (seen.state === "gone") return { state: "gone" };
  if (!isObject(seen.body)) return { state: "unreadable", why: seen.why ?? "the answer has no object" };
  // What is adopted and cannot be updated is assumed to have what its document says, so it is another object if not.
  const isAssumed = retired?.untold === true && kind.replacedBy === "any";
  const isComparable = retired?.uncertain !== true || isAssumed;
  const sent = isComparable ? withKnownReferences(body, references) : {};
  if (Object.keys(sent).length === 0) {
    const { name } = seen.body;
    return { state: "untold", ...(typeof name === "string" && { name }) };
  }
  const told = { body: sent, references, ...defined({ baseline }) };
  const sightings = sightingsOf(told, kind, [seen.body]);
  // Inside of what is not compared, what was added cannot be told.
  const isTold = (field: string) => Object.hasOwn(sent, field) || !Object.hasOwn(body, field);
  const added = baseline ? addedSince(baseline, sightings) : [];
  const fields = new Set([
    ...differentFields(sent, sightings),
    ...added
      .filter((pointer) => !isTime(ownValue(sightings, pointer)))
      .map(firstKey)
      .filter(isTold),
  ]);
  return fields.size > 0 ? { state: "other", fields: [...fields] } : { state: "same" };
}

// What an earlier version wrote into the ledger may lack what they stood for.
function withKnownReferences(body: JsonObject, known: object): JsonObject {
  return filterMembers(body, (field) =>
    referencesIn(body[field] ?? null).every(({ text }) => Object.hasOwn(known, text)),
  );
}
