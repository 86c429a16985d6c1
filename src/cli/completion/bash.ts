import type { Candidates } from "./candidates.js";
import { splitLine, type OpenQuote } from "./shell-line.js";

/** Answers the function of the script, which gives the word breaks and the line up to the cursor. */
export function answerBash(
  [breaks = "", line = ""]: readonly string[],
  find: (words: readonly string[]) => Candidates,
): readonly string[] {
  const { words, quote, kept, isRedirected, isEscaping } = splitLine(line, breaks);
  if (isEscaping) return [];
  if (isRedirected) return ["files"];
  const found = find(words.slice(1));
  if (found.type !== "words") return [found.type];
  const completed = found.words.flatMap(({ word }) => {
    return word.startsWith(kept) ? (quoteWord(word.slice(kept.length), quote) ?? []) : [];
  });
  return ["words", ...completed];
}

/** Quotes a word for a place in a line of bash; undefined where that quote cannot hold it. */
export function quoteWord(word: string, quote: OpenQuote): string | undefined {
  switch (quote) {
    case "'":
      return word.replaceAll("'", `'\\''`);
    case '"':
      // The history is expanded there, and no backslash prevents it.
      return word.includes("!") ? undefined : word.replaceAll(/["$\\`]/g, "\\$&");
    case "":
      return word.replaceAll(/[^\w@%+:,./=\u0080-\u{10ffff}-]/gu, "\\$&");
  }
}
