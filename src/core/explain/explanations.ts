import type { GuardrailNote } from "../../generated/plan.js";
import { codes, warningCodes, type Code } from "../finding/diagnostic.js";
import { rules } from "../guardrails/rules.js";
import { documentExplanations } from "./document-explanations.js";
import type { Explanation, Explanations } from "./explanation.js";
import { noteExplanations } from "./note-explanations.js";
import { planExplanations } from "./plan-explanations.js";
import { referenceExplanations } from "./reference-explanations.js";
import { stateExplanations } from "./state-explanations.js";

/** A code of a diagnostic, or of a note that a plan begins with, and all that is to be said about it. */
export interface ExplainedCode extends Explanation {
  readonly code: string;
  /** One sentence, in Markdown. */
  readonly meaning: string;
  /** The effect of a note; missing for a diagnostic. */
  readonly effect?: GuardrailNote["effect"];
  /** Whether there are warnings with it, which the manifest can silence. */
  readonly isIgnorable: boolean;
}

const ignorable = new Set<string>(warningCodes);

const diagnosticExplanations: Explanations = {
  ...documentExplanations,
  ...referenceExplanations,
  ...stateExplanations,
  ...planExplanations,
};

/** Every code of a diagnostic, in the order of their table. */
export const explainedDiagnostics: readonly ExplainedCode[] = Object.entries(codes).flatMap(
  ([code, meaning]) => {
    const explanation = diagnosticExplanations[code as Code];
    return explanation ? [{ code, meaning, isIgnorable: ignorable.has(code), ...explanation }] : [];
  },
);

/** The notes that no rule makes, which come before all others. */
const otherNotes = [
  { code: "state-edited", effect: "weakens", meaning: "a change edits the lock" },
  {
    code: "setting-changed",
    effect: "widens",
    meaning: "a setting of the manifest is not as it was at the last apply",
  },
] as const;

/** Every code of a note of a plan, by rank. */
export const explainedNotes: readonly ExplainedCode[] = [...otherNotes, ...rules].flatMap(
  ({ code, effect, meaning }) => {
    const explanation = noteExplanations[code];
    return explanation
      ? [{ code, effect, meaning: sentence(meaning), isIgnorable: false, ...explanation }]
      : [];
  },
);

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
