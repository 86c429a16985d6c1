import type { Action, GuardrailNote } from "../../generated/plan.js";
import { effects } from "../guardrails/rule.js";
import { noteOf } from "../guardrails/note-words.js";
import type { PartsOfNotes } from "../guardrails/note-parts.js";

/**
 * Gives what other workspaces have that refers to an address, and would lose it or keep what was replaced; without
 * those that are applied in the same command, if a change there settles it.
 */
export type UsersElsewhere = (address: string, isSettled: boolean) => PartsOfNotes["used-by-others"]["users"];

/**
 * Notes who else uses what a plan replaces, forgets or deletes. A replacement is as grave there as the notes on it say
 * that it is here.
 */
export function notesOnUsers(
  actions: readonly Action[],
  notes: readonly GuardrailNote[],
  usersOf: UsersElsewhere = () => [],
): GuardrailNote[] {
  const taken = new Set(actions.flatMap(({ address, from }) => (from === undefined ? [] : address)));
  return actions.flatMap(({ address, action, from, leaves = 0 }) => {
    const isGone = action === "forget" || action === "delete";
    const isOther = action === "replace" || (action === "adopt" && leaves > 0);
    // After a move, what others refer to is not there any more, or is another object that has moved there.
    const lost = from ?? (isGone || isOther ? address : undefined);
    const replaced = isOther && from === undefined;
    const exchanged = from !== undefined && taken.has(from) ? from : undefined;
    // Whoever is applied in the same command gets the new ID there, and has no document with a name that is gone.
    const isSettled = replaced || action === "forget" || (from !== undefined && exchanged === undefined);
    const users = lost === undefined ? [] : usersOf(lost, isSettled);
    if (users.length === 0) return [];
    const parts = { users, replaced, ...(exchanged !== undefined && { exchanged }) };
    const effect = replaced ? gravestOf(notes.filter((note) => note.address === address)) : "weakens";
    return [noteOf("used-by-others", parts, { effect, address })];
  });
}

function gravestOf(notes: readonly GuardrailNote[]): GuardrailNote["effect"] {
  return effects.find((each) => notes.some(({ effect }) => effect === each)) ?? "review";
}
