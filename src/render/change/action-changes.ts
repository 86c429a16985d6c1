import { fateText } from "../../core/plan/cause-words.js";
import type { Action, ActionCause } from "../../generated/plan.js";
import { type Room, type ShownChange, shownChange } from "./shown-change.js";

const mostChanges = 200;

/** Decides what is shown of an action's changes: of the first of them, and how many are left out. */
export function actionChanges(
  { changes, causes = [] }: Action,
  room: Room,
): { readonly changes: readonly ShownChange[]; readonly left: number } {
  const fateOf = fatesIn(causes);
  return {
    changes: changes.slice(0, mostChanges).map((change) => shownChange(change, room, fateOf)),
    left: Math.max(0, changes.length - mostChanges),
  };
}

// By address, for an agent may have as many references as there are tool sets.
function fatesIn(causes: readonly ActionCause[]): (reference: string) => string {
  const fates = new Map<string, string>();
  for (const { code, parts } of causes)
    if (parts.address !== undefined && (code === "new-id" || code === "other-id"))
      fates.set(parts.address, fateText(code, parts.many === true));
  return (reference) => fates.get(reference.split("/", 1)[0] ?? reference) ?? fateText("new-id", false);
}
