import type { Action, GuardrailNote } from "../../generated/plan.js";
import { effects } from "../guardrails/rule.js";
import { noteOf } from "../guardrails/note-words.js";
import type { PartsOfNotes } from "../guardrails/note-parts.js";

/** Gives what other workspaces have that refers to an address, and would lose it or keep what was replaced. */
export type UsersElsewhere = (address: string, replaced: boolean) => PartsOfNotes["used-by-others"]["users"];

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
    const users = lost === undefined ? [] : usersOf(lost, replaced);
    if (users.length === 0) return [];
    const parts = { users, replaced, ...(from !== undefined && taken.has(from) && { exchanged: from }) };
    const effect = replaced ? gravestOf(notes.filter((note) => note.address === address)) : "weakens";
    return [noteOf("used-by-others", parts, { effect, address })];
  });
}

function gravestOf(notes: readonly GuardrailNote[]): GuardrailNote["effect"] {
  return effects.find((each) => notes.some(({ effect }) => effect === each)) ?? "review";
}
