import type { Json } from "../json/json.js";
import { newEffort, type Redaction } from "./redaction.js";

/** What is left of an answer, and whether anything was taken from it. */
export interface Withholding {
  readonly answer: Json;
  readonly withheld: boolean;
}

/**
 * Takes out of an answer what holds a secret: such a value becomes null, a member with such a name goes. The
 * answer given is changed. An ID that a service made of a secret must not get into a lock.
 */
export function withhold(answer: Json, redaction: Redaction): Withholding {
  const effort = newEffort();
  const isTainted = (value: Json): boolean =>
    typeof value === "string" || typeof value === "number" ? redaction.taints(String(value), effort) : false;
  if (isTainted(answer)) return { answer: null, withheld: true };
  let withheld = false;
  // A list of what is still to be looked at, for an answer may be nested deeper than calls can be.
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
