import type { Page } from "./page.js";

/** The text of a topic, and the files of `docs` that say more. */
export interface TopicText extends Pick<Page, "about" | "sections"> {
  readonly documents: readonly string[];
}
