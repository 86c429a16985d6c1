import { scripts } from "../../generated/scripts.js";
import type { Candidates } from "./candidates.js";
import { splitLine, type OpenQuote } from "./shell-line.js";

interface Shell {
  /** It only hands on the line and takes what comes back: no word of either is ever evaluated. */
  readonly script: string;
  /** Answers what the script asks with, in lines: `words` and then the words, or `files`, or `folders`. */
  answer(asked: readonly string[], find: (words: readonly string[]) => Candidates): readonly string[];
}

/** The shells by their names. */
export const shells: Readonly<Record<string, Shell | undefined>> = {
  bash: { script: scripts["agentform.bash"], answer: answerBash },
  zsh: { script: scripts["agentform.zsh"], answer: (words, find) => describedLines(find(words)) },
  fish: {
    script: scripts["agentform.fish"],
    answer(words, find) {
      // A space in the last word is quoted, so it is one word for fish.
      const last = splitLine(words.at(-1) ?? "", "").words.at(-1) ?? "";
      return describedLines(find([...words.slice(0, -1), last]));
    },
  },
};

// What each means is behind a tab.
function describedLines(found: Candidates): readonly string[] {
  if (found.type !== "words") return [found.type];
  const lines = found.words.map(({ word, about }) => (about === undefined ? word : `${word}\t${about}`));
  return ["words", ...lines];
}

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
