import type { Json } from "../json/json.js";
import { newEffort, type Redaction } from "./redaction.js";

/** The rest of an answer, and whether anything was removed. */
export interface Withholding {
  readonly answer: Json;
  readonly withheld: boolean;
}

/**
 * Removes secrets from an answer: a value that contains one becomes null, a member whose name does is dropped. The
 * given answer is changed. An ID that a service derived from a secret must not get into a lock.
 */
export function withhold(answer: Json, redaction: Redaction): Withholding {
  const effort = newEffort();
  const isTainted = (value: Json): boolean =>
    typeof value === "string" || typeof value === "number" ? redaction.taints(String(value), effort) : false;
  if (isTainted(answer)) return { answer: null, withheld: true };
  let withheld = false;
  // A work list instead of recursion: an answer may be nested deeper than the call stack allows.
  const open: Json[] = [answer];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      if (!Array.isArray(value) && redaction.taints(key, effort)) Reflect.deleteProperty(value, key);
      else if (isTainted(member)) Reflect.set(value, key, null);
      else {
        open.push(member);
        continue;
      }
      withheld = true;
    }
  }
  return { answer, withheld };
}
