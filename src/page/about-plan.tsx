import { countOf } from "./action-word.js";
import { Prose } from "./prose.js";
import { asSentence, reviewMeanings, reviewTitles } from "../render/words/review-words.js";
import type { PlanIndex } from "./plan-index.js";

/** The fields that no guardrail rule looks at, with numbers; nothing if there are none. */
export function UnjudgedList({ plan }: { plan: PlanIndex }) {
  const { notJudged, newNotJudged } = plan.review;
  if (notJudged.length + newNotJudged === 0) return null;
  return (
    <section class="panel unjudged" aria-labelledby="unjudged-title">
      <h2 id="unjudged-title">{reviewTitles.notJudged}</h2>
      <p class="meaning">{asSentence(reviewMeanings.notJudged)}</p>
      <ul>
        {notJudged.map(({ field, resources }) => (
          <li>
            <code class="path">{field}</code> in {countOf(resources, "resource")}
          </li>
        ))}
        {newNotJudged > 0 && <li>{countOf(newNotJudged, "new resource")}</li>}
      </ul>
    </section>
  );
}

/** What stays in the service, and what to do about it; nothing if nothing does. */
export function LeftBehindList({ plan }: { plan: PlanIndex }) {
  const items = plan.itemsOf("leftBehind", "said");
  if (items.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="left-title">
      <h2 id="left-title">{reviewTitles.leftBehind}</h2>
      {items.map(({ text }) => (
        <p>
          <Prose text={text} />
        </p>
      ))}
    </section>
  );
}

/** The words of the plan that no other part explains; nothing if there are none. */
export function WordList({ plan }: { plan: PlanIndex }) {
  const words = plan.itemsOf("words", "said");
  if (words.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="words-title">
      <h2 id="words-title">{reviewTitles.words}</h2>
      <dl class="words">
        {words.map(({ word, text }) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
