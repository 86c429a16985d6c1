import { scripts } from "../../generated/scripts.js";
import { answerBash } from "./bash.js";
import type { Candidates } from "./candidates.js";
import { answerFish } from "./fish.js";
import { answerZsh } from "./zsh.js";

/** A shell that completes lines. */
export interface Shell {
  /** It only hands on the line and takes what comes back: no word of either is ever evaluated. */
  readonly script: string;
  /** Answers what the script asks with, in lines: `words` and then the words, or `files`, or `folders`. */
  answer(asked: readonly string[], find: (words: readonly string[]) => Candidates): readonly string[];
}

/** The shells by their names. */
export const shells = {
  bash: { script: scripts["agentform.bash"], answer: answerBash },
  zsh: { script: scripts["agentform.zsh"], answer: answerZsh },
  fish: { script: scripts["agentform.fish"], answer: answerFish },
} satisfies Record<string, Shell>;
