import type { Action } from "../../generated/plan.js";
import { type Room, type ShownChange, shownChange } from "./shown-change.js";

const mostChanges = 200;

/** Decides what is shown of an action's changes: of the first of them, and how many are left out. */
export function actionChanges(
  { changes, reasons }: Action,
  room: Room,
): { readonly changes: readonly ShownChange[]; readonly left: number } {
  const fateOf = fatesIn(reasons);
  return {
    changes: changes.slice(0, mostChanges).map((change) => shownChange(change, room, fateOf)),
    left: Math.max(0, changes.length - mostChanges),
  };
}

// The reasons of an action say what happens to what its references stand for.
function fatesIn(reasons: readonly string[]): (reference: string) => string {
  // By the address that a reason begins with, for an agent may have as many references as there are tool sets.
  const fates = new Map<string, string>();
  for (const reason of reasons) {
    const [address, fate] = reason.split(/ (.*)/s, 2);
    if (address !== undefined && fate !== undefined && !fates.has(address)) fates.set(address, fate);
  }
  return (reference) => fates.get(reference.split("/", 1)[0] ?? reference) ?? "gets a new ID";
}
