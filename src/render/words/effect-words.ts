import type { GuardrailNote } from "../../generated/plan.js";
import { countText } from "./count-text.js";

/** How a count of notes with an effect is said: of one, and of several. */
const effectWords: Readonly<Record<string, readonly [one: string, several: string]>> = {
  weakens: ["weakens", "weaken"],
  widens: ["widens", "widen"],
  review: ["needs a review", "need a review"],
};

/** Counts guardrail notes by their effects, the gravest first: `1 weakens, 2 widen`; nothing if there are none. */
export function effectCounts(notes: readonly Pick<GuardrailNote, "effect">[]): string[] {
  return Object.entries(effectWords).flatMap(([wanted, [one, several]]) => {
    const count = notes.filter(({ effect }) => effect === wanted).length;
    return count > 0 ? [countText(count, one, several)] : [];
  });
}
