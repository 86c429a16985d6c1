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
  return actions.flatMap(({ address, action }) => {
    const replaced = action === "replace";
    if (!replaced && action !== "forget" && action !== "delete") return [];
    const users = usersOf(address);
    if (users.length === 0) return [];
    return [noteOf("used-by-others", { users, replaced }, { effect: "weakens", address })];
  });
}
