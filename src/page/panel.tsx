import type { ComponentChildren } from "preact";
import type { ReviewedName } from "../render/view/plan-section.js";
import { asSentence, reviewMeanings, reviewTitles } from "../render/words/review-words.js";

interface PanelProps {
  readonly name: ReviewedName;
  /** Its class, and the beginning of the `id` of its title. */
  readonly id: string;
  readonly count: number;
  readonly children: ComponentChildren;
}

const meanings: Readonly<Partial<Record<string, string>>> = reviewMeanings;

/** A section of the review with its title, how much it has, and what it means. */
export function Panel({ name, id, count, children }: PanelProps) {
  const meaning = meanings[name];
  return (
    <section class={`panel ${id}`} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        {reviewTitles[name]} <span class="count">{count.toLocaleString("en")}</span>
      </h2>
      {meaning !== undefined && <p class="meaning">{asSentence(meaning)}</p>}
      {children}
    </section>
  );
}
