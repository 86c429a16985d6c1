import { canonical } from "../../json/json.js";
import { defined } from "./defined.js";
import type { Attempt } from "../../generated/lock.js";
import type { LockEntry } from "./lock.js";

/** Whether it is not known what an object has: it was adopted, and no update of it has arrived since. */
export function isUntold({ uncertain, attempted }: LockEntry): boolean {
  return uncertain === true && attempted === undefined;
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
