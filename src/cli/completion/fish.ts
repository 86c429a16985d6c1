import type { Candidates } from "./candidates.js";
import { describedLines } from "./described-lines.js";
import { splitLine } from "./shell-line.js";

/** Answers the function of the script, which gives the words behind the program's name, the last as it is typed. */
export function answerFish(
  words: readonly string[],
  find: (words: readonly string[]) => Candidates,
): readonly string[] {
  // A space in the last word is quoted, so it is one word for fish.
  const last = splitLine(words.at(-1) ?? "", "").words.at(-1) ?? "";
  return describedLines(find([...words.slice(0, -1), last]));
}
