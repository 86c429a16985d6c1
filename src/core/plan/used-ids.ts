import type { Action, GuardrailNote } from "../../generated/plan.js";
import type { ResolvedReferences } from "../../generated/lock.js";
import { equal } from "../../json/json.js";
import { noteOf } from "../guardrails/note-words.js";
import type { Lock } from "../state/lock.js";

/**
 * Notes what references to other workspaces stand for, where that is not what was last sent: by the resource itself, or
 * by another if it had no such reference.
 */
export function notesOnUsed(
  actions: readonly Action[],
  { resources }: Pick<Lock, "resources">,
): GuardrailNote[] {
  if (actions.every(({ used }) => used === undefined)) return [];
  const sentBefore: Record<string, ResolvedReferences[string]> = {};
  for (const { references } of Object.values(resources)) Object.assign(sentBefore, references);
  return actions.flatMap(({ address, used = {} }) => {
    const own = resources[address]?.references ?? {};
    return Object.entries(used).flatMap(([reference, after]) => {
      const before = own[reference] ?? sentBefore[reference];
      // What gets its ID in the same command is in the plan over there.
      if (after === null || (before !== undefined && equal(before, after))) return [];
      const parts = { reference, ...(before !== undefined && { before }), after };
      return [noteOf("used-id-changed", parts, { effect: "review", address })];
    });
  });
}
