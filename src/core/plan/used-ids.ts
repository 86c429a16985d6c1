import type { Action, GuardrailNote } from "../../generated/plan.js";
import { equal, type Json } from "../../json/json.js";
import { noteOf } from "../guardrails/note-words.js";
import type { Lock } from "../state/lock.js";

/** Notes what references to other workspaces stand for, where that is not what was last sent. */
export function notesOnUsed(
  actions: readonly Action[],
  { resources }: Pick<Lock, "resources">,
): GuardrailNote[] {
  return actions.flatMap(({ address, used = {} }) => {
    const sent = resources[address]?.references ?? {};
    return Object.entries(used).flatMap(([reference, after]) => {
      const before = sent[reference];
      // What gets its ID in the same command is in the plan over there.
      if (before === undefined || after === null || equal(before as Json, after as Json)) return [];
      return [noteOf("used-id-changed", { reference, before, after }, { effect: "review", address })];
    });
  });
}
