import { canonical } from "../../json/json.js";
import { referencesIn } from "../expression/reference.js";
import { resolvedReferences, type Lookup } from "../expression/resolution.js";
import { defined } from "./defined.js";
import { lookupIn } from "./entry-ids.js";
import type { Attempt } from "../../generated/lock.js";
import type { Lock, LockEntry } from "./lock.js";

/** Whether it is not known what an object has: it was adopted, and no update of it has arrived since. */
export function isUntold({ uncertain, attempted }: LockEntry): boolean {
  return uncertain === true && attempted === undefined;
}

/** Whether an object was adopted, and never sent whole since: its ID may be that of any object. */
export function isNeverSent(entry: LockEntry): boolean {
  return isUntold(entry) || entry.assumed === true;
}

/** Gives an entry whose object may have what these attempts sent, beside all earlier ones. */
export function inDoubt(entry: LockEntry, attempts: readonly Attempt[]): LockEntry {
  const all = [...(entry.attempted ?? []), ...attempts].map(({ body, references }): Attempt => {
    return { body, ...defined({ references }) };
  });
  const textOf = ({ body, references = {} }: Attempt) => canonical([body, references]);
  const attempted = [...new Map(all.map((each) => [textOf(each), each])).values()];
  return { ...entry, uncertain: true, attempted };
}

/** Fills in what references of attempts stood for: an update is claimed before the IDs are known of what is created. */
export function completeAttempts(lock: Pick<Lock, "resources" | "unknown">): void {
  const known = lookupIn(lock);
  const lookup: Lookup = (reference) => (lock.unknown[reference.address] ? undefined : known(reference));
  for (const [address, entry] of Object.entries(lock.resources)) {
    const { attempted = [] } = entry;
    const told = attempted.map((each) => completed(each, lookup));
    const isTold = told.some((each, index) => each !== attempted[index]);
    if (isTold) lock.resources[address] = { ...entry, attempted: told };
  }
}

function completed(attempt: Attempt, lookup: Lookup): Attempt {
  const { body, references = {} } = attempt;
  const open = referencesIn(body).filter(({ text }) => !Object.hasOwn(references, text));
  const found = resolvedReferences(open, lookup);
  return found ? { body, references: { ...references, ...found } } : attempt;
}
