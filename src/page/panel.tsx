import type { ComponentChildren } from "preact";
import type { SectionName } from "../render/view/plan-section.js";
import { asSentence, reviewMeanings, reviewTitles } from "../render/words/review-words.js";
import { Prose } from "./prose.js";

interface PanelProps {
  readonly name: SectionName;
  /** Its class, and the beginning of the `id` of its title. */
  readonly id?: string;
  readonly title?: ComponentChildren;
  /** What stands behind the title. */
  readonly count?: number;
  readonly meaning?: string | undefined;
  readonly children: ComponentChildren;
}

const meanings: Readonly<Partial<Record<string, string>>> = reviewMeanings;

/** A section of the page with its title, how much it has, and what it means. */
export function Panel(props: PanelProps) {
  const { name, id = name, title = reviewTitles[name], count, meaning = meanings[name], children } = props;
  return (
    <section class={`panel ${id}`} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        {title}
        {count !== undefined && " "}
        {count !== undefined && <span class="count">{count.toLocaleString("en")}</span>}
      </h2>
      {meaning !== undefined && (
        <p class="meaning">
          <Prose text={asSentence(meaning)} />
        </p>
      )}
      {children}
    </section>
  );
}

interface UnfoldProps {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly children: ComponentChildren;
}

/** A button that unfolds what is below it. */
export function Unfold({ isOpen, toggle, children }: UnfoldProps) {
  return (
    <button type="button" class="unfold" aria-expanded={isOpen} onClick={toggle}>
      <span class="chevron" aria-hidden="true" />
      {children}
    </button>
  );
}
