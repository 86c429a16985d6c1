import type { Candidates } from "./candidates.js";
import { describedLines } from "./described-lines.js";

/** Answers the function of the script, which gives the words behind the program's name up to the cursor. */
export function answerZsh(
  words: readonly string[],
  find: (words: readonly string[]) => Candidates,
): readonly string[] {
  return describedLines(find(words));
}
