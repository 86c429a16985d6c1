import type { BeginRecord } from "../../generated/journal.js";
import { equal, isObject, type JsonObject } from "../../json/json.js";
import { idsOf } from "../kind/identity.js";
import type { Identity, Kind } from "../kind/kind.js";
import { allInCode } from "../finding/quotation.js";
import { differentFields, sightingsOf } from "../observation/entry-sighting.js";
import { observedObject } from "../observation/observe.js";
import { readObject, type Seen } from "../observation/read-object.js";
import type { Outcome } from "../observation/service.js";
import { defined } from "../state/defined.js";
import type { LockEntry } from "../state/lock.js";
import type { Running } from "./running.js";

/** What is known of the object that a create or a replacement was answered with. */
export interface AnswerLook {
  /** The fields that still have what the object to replace had, so that nothing was replaced, with its ID. */
  readonly kept?: { readonly id: string; readonly fields: readonly string[] };
  /** The address of another object that is made by this apply, whose name is in the answer with this ID. */
  readonly other?: { readonly id: string; readonly address: string };
  /** What a person should look at. */
  readonly hint?: string;
}

/** Looks whether what was answered is what was sent: of a taken name, some services answer the object that is there. */
export function lookAtAnswered(
  begin: BeginRecord,
  found: Identity,
  { answer, withheld }: Extract<Outcome, { type: "success" }>,
  kind: Kind,
  running: Running,
): AnswerLook | Promise<AnswerLook> {
  const { state, service, deployment, updateChecks } = running;
  const entry = begin.operation === "replace" ? state.lock.resources[begin.address] : undefined;
  const id = entry && idsOf(found).find((each) => idsOf(entry).includes(each));
  const bodyOf = (seen: Seen): JsonObject => {
    const { body } = observedObject({ kind, id: id ?? "", entry: begin }, seen, updateChecks.fieldNames);
    return isObject(body) ? body : {};
  };
  const isWithheld = withheld === true && ({ isWithheld: true } as const);
  const answered = isObject(answer) ? bodyOf({ state: "found", body: answer, ...isWithheld }) : {};
  if (!entry || id === undefined) {
    const fields = different(begin, kind, answered);
    const [made] = idsOf(found);
    // Some services change a name: one that nothing else was sent under says nothing.
    const isNamed = fields.includes("name") && typeof answered.name === "string";
    const address = isNamed ? running.madeAs(kind, String(answered.name)) : undefined;
    return made !== undefined && address !== undefined
      ? { other: { id: made, address } }
      : otherThanSent(fields);
  }
  if (equal(entry.body, begin.body)) return {};
  const told = compare(begin, entry, kind, answered);
  const read = deployment[kind.name]?.read;
  if (told !== "untold" || !read) return ofSame(id, told);
  return readObject(service, read, id).then((seen) => ofSame(id, compare(begin, entry, kind, bodyOf(seen))));
}

/** The outcome of a create that was answered with the object to replace, or with another new one; undefined if it was not. */
export function wrongOutcome(
  { kept, other }: AnswerLook,
  status: number,
): Extract<Outcome, { type: "unknown" }> | undefined {
  if (other) {
    const message = `the service answered ${other.id} with the name of ${other.address}, so it is not known which ID is its own`;
    return { type: "unknown", status, message };
  }
  if (!kept) return undefined;
  const message = `the service answered ${kept.id}, which is the object to replace, with its old ${allInCode(kept.fields)}`;
  const hint = "if it answers with the object that has the name already, give the new one another name";
  return { type: "unknown", status, message, hint };
}

function otherThanSent(fields: readonly string[]): AnswerLook {
  if (fields.length === 0) return {};
  return {
    hint: `the answer differs from what was sent in ${allInCode(fields)}: look whether it is an older object of the same name`,
  };
}

function ofSame(id: string, told: readonly string[] | "replaced" | "untold"): AnswerLook {
  if (told === "replaced") return {};
  return told === "untold"
    ? { hint: "it has the same ID as before: look in the service whether it has what was sent" }
    : { kept: { id, fields: told } };
}

/** Gives the fields that have what they had; or whether one has what was sent instead. */
function compare(
  begin: BeginRecord,
  entry: LockEntry,
  kind: Kind,
  seen: JsonObject,
): readonly string[] | "replaced" | "untold" {
  const changed = Object.keys(begin.body).filter(
    (field) =>
      Object.hasOwn(entry.body, field) && !equal(begin.body[field] ?? null, entry.body[field] ?? null),
  );
  const [fromNew, fromOld] = [begin, entry].map((sent) => new Set(different(sent, kind, seen)));
  const kept = changed.filter((field) => fromNew?.has(field) && !fromOld?.has(field));
  if (kept.length > 0) return kept;
  return changed.some((field) => fromOld?.has(field) && !fromNew?.has(field)) ? "replaced" : "untold";
}

// What is not shown is not compared.
function different(
  { body, references }: Pick<BeginRecord, "body" | "references">,
  kind: Kind,
  seen: JsonObject,
): string[] {
  return differentFields(body, sightingsOf({ body, ...defined({ references }) }, kind, [seen]));
}
