import type { Action, GuardrailNote } from "../../generated/plan.js";
import { noteOf } from "../guardrails/note-words.js";
import type { PartsOfNotes } from "../guardrails/note-parts.js";

/** Gives what other workspaces have that refers to an address; it is asked only for what they would lose. */
export type UsersElsewhere = (address: string) => PartsOfNotes["used-by-others"]["users"];

/** Notes who else uses what a plan replaces, forgets or deletes. */
export function notesOnUsers(
  actions: readonly Action[],
  usersOf: UsersElsewhere = () => [],
): GuardrailNote[] {
  return actions.flatMap(({ address, action, from, leaves = 0 }) => {
    const isGone = action === "forget" || action === "delete";
    const isOther = action === "replace" || (action === "adopt" && leaves > 0);
    // After a move, what others refer to is not there any more.
    const lost = from ?? (isGone || isOther ? address : undefined);
    const users = lost === undefined ? [] : usersOf(lost);
    if (users.length === 0) return [];
    const parts = { users, replaced: isOther && from === undefined };
    return [noteOf("used-by-others", parts, { effect: "weakens", address })];
  });
}
