import { topicTexts } from "../../generated/topics.js";
import { learnMore, type Page } from "./page.js";

/** A text of the help that is about no single command, with the files of `docs` that say more. */
export interface Topic extends Page {
  readonly documents: readonly string[];
}

/** The topics, in the order of the help. */
export const topics: readonly Topic[] = topicTexts;

/** Finds a topic by its name. */
export function findTopic(word: string): Topic | undefined {
  return topics.find(({ name }) => name === word);
}

/** Makes the page of a topic. */
export function topicPage({ documents, ...page }: Topic): Page {
  return { ...page, sections: [...page.sections, learnMore(documents)] };
}

/** What each exit code means, as the topic about them says it. */
export const exitMeanings: ReadonlyMap<number, string> = new Map(
  (findTopic("exit-codes")?.sections ?? []).flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      typeof block === "object" && "rows" in block
        ? block.rows.map(([code, meaning]) => [Number(code), meaning] as const)
        : [],
    ),
  ),
);
