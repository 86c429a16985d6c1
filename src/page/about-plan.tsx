import { countOf } from "./action-word.js";
import { Prose } from "./prose.js";
import type { PageData } from "../render/html/page-data.js";
import { asSentence, reviewMeanings, reviewTitles } from "../render/words/review-words.js";

/** The fields that no guardrail rule looks at, with numbers; nothing if there are none. */
export function UnjudgedList({ data }: { data: PageData }) {
  const { notJudged, newNotJudged } = data.review;
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
export function LeftBehindList({ data: { review } }: { data: PageData }) {
  if (review.leftBehind.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="left-title">
      <h2 id="left-title">{reviewTitles.leftBehind}</h2>
      {review.leftBehind.map((text) => (
        <p>
          <Prose text={text} />
        </p>
      ))}
    </section>
  );
}

/** The words of the plan that no other part explains; nothing if there are none. */
export function WordList({ data: { words } }: { data: PageData }) {
  if (words.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="words-title">
      <h2 id="words-title">{reviewTitles.words}</h2>
      <dl class="words">
        {words.map(({ word, meaning }) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
