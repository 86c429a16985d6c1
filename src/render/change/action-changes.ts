import { fateText } from "../../core/plan/cause.js";
import type { Action, ActionCause, Change } from "../../generated/plan.js";
import { type ShownChange, shownChange } from "./shown-change.js";

/** Decides what is shown of some changes of an action, whose reasons say what becomes of references. */
export function actionChanges({ causes = [] }: Action, changes: readonly Change[]): ShownChange[] {
  const fateOf = fatesIn(causes);
  return changes.map((change) => shownChange(change, fateOf));
}

// By address, for an agent may have as many references as there are tool sets.
function fatesIn(causes: readonly ActionCause[]): (reference: string) => string {
  const fates = new Map<string, string>();
  for (const { code, parts } of causes) {
    const { address, use, many, pending } = parts;
    if (address === undefined) continue;
    if (code === "new-id" || code === "other-id") fates.set(address, fateText(code, many === true));
    if (code === "new-id-there") {
      const when = pending === "new" || pending === "created" ? pending : undefined;
      fates.set(`${address}@${use}`, fateText(code, many === true, when));
    }
  }
  return (reference) => fates.get(reference.split("/", 1)[0] ?? reference) ?? fateText("new-id", false);
}
