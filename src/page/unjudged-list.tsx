import { countOf } from "./action-word.js";
import type { PageData } from "../render/html/page-data.js";
import { reviewMeanings, reviewTitles } from "../render/words/review-words.js";

/** The fields that no guardrail rule looks at, with numbers; nothing if there are none. */
export function UnjudgedList({ data }: { data: PageData }) {
  const { notJudged } = data.review;
  if (notJudged.length === 0) return null;
  return (
    <section class="panel unjudged" aria-labelledby="unjudged-title">
      <h2 id="unjudged-title">
        {reviewTitles.notJudged} <span class="count">{notJudged.length.toLocaleString("en")}</span>
      </h2>
      <p class="meaning">{reviewMeanings.notJudged}</p>
      <ul>
        {notJudged.map(({ field, resources }) => (
          <li>
            <code class="path">{field}</code> in {countOf(resources, "resource")}
          </li>
        ))}
      </ul>
    </section>
  );
}
