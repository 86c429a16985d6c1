import { findTopic } from "./topics.js";

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
