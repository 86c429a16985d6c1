import type { Review } from "../../core/review/review.js";
import { countText } from "../words/count-text.js";
import { effectClauses } from "../words/effect-words.js";

const manyEdits = 20;

/** Says what a reviewer must know first: what the guardrail notes do, and whether one resource alone is edited. */
export function verdictTexts(review: Review): string[] {
  const effects = effectClauses(review.notes);
  const alone = aloneText(review);
  if (alone === undefined) return effects;
  const { edits, unjudged } = review;
  return [
    ...(effects.length > 0 ? effects : ["no guardrail notes"]),
    alone,
    ...(unjudged > 0 ? [`${unjudged} of ${countText(edits, "distinct edit")} not judged`] : []),
  ];
}

// Where no edit is shared, none is odd; a reader sees a few of them at once.
function aloneText({ onlyHere, groups }: Review): string | undefined {
  // How many are new and forgotten stands among the counts.
  const alone = onlyHere.filter(({ action }) => action.action !== "create" && action.action !== "forget");
  if (groups.length === 0 && alone.length < manyEdits) return undefined;
  const [first, ...more] = new Set(alone.map(({ action }) => action.address));
  if (first === undefined) return onlyHere.length === 0 ? "every edit is shared" : undefined;
  const edits = countText(alone.length, "edit");
  return more.length === 0 ? `${edits} only in \`${first}\`` : `${edits} that one resource alone has`;
}
