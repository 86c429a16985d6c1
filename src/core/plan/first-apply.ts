import type { Action, GuardrailNote } from "../../generated/plan.js";
import { noteOf } from "../guardrails/note-words.js";
import { manifestFile } from "../resources/manifest-file.js";

/** Says of a first plan, before all else, that nothing is known: of a state that is somewhere else all is created again. */
export function firstNotes(actions: readonly Action[]): GuardrailNote[] {
  const creates = actions.filter(({ action }) => action === "create").length;
  if (creates === 0) return [];
  return [noteOf("first-apply", { creates }, { effect: "review", address: manifestFile })];
}
