import type { Review } from "../../core/plan/review.js";
import { countText } from "../words/count-text.js";
import { effectClauses } from "../words/effect-words.js";

const manyEdits = 20;

/** Says what a reviewer must know first: what the guardrail notes do, and whether one resource alone is edited. */
export function verdictTexts(review: Review): string[] {
  const effects = effectClauses(review.notes).join(", ");
  const alone = aloneText(review);
  if (alone === undefined) return effects === "" ? [] : [effects];
  return [effects === "" ? "no guardrail notes" : effects, alone];
}

// Where no edit is shared, none is odd; a reader sees a few of them at once.
function aloneText({ onlyHere, groups }: Review): string | undefined {
  if (groups.length === 0 && onlyHere.length < manyEdits) return undefined;
  const [first, ...more] = new Set(onlyHere.map(({ action }) => action.address));
  if (first === undefined) return "no edit is in one resource alone";
  const unjudged = onlyHere.filter(({ isJudged }) => !isJudged).length;
  const judged =
    unjudged === 0 ? "" : unjudged === onlyHere.length ? ", not judged" : `, ${unjudged} not judged`;
  const edits = countText(onlyHere.length, "edit");
  return more.length === 0
    ? `${edits} only in \`${first}\`${judged}`
    : `${edits} that one resource alone has${judged}`;
}
