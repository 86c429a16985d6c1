import type { Change } from "../../generated/plan.js";
import { equal } from "../../json/json.js";

/** Whether a change only follows from another action: its text is the same, and what it refers to is not. */
export function isConsequence({ references = [], before, after }: Change): boolean {
  return references.length > 0 && before !== undefined && equal(before, after);
}
