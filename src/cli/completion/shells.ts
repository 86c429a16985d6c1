import { answerBash, bashScript } from "./bash.js";
import type { Candidates } from "./candidates.js";
import { answerFish, fishScript } from "./fish.js";
import { answerZsh, zshScript } from "./zsh.js";

/** A shell that completes lines. */
export interface Shell {
  readonly script: string;
  /** Answers what the script asks with, in lines: `words` and then the words, or `files`, or `folders`. */
  answer(asked: readonly string[], find: (words: readonly string[]) => Candidates): readonly string[];
}

/** The shells by their names. */
export const shells = {
  bash: { script: bashScript, answer: answerBash },
  zsh: { script: zshScript, answer: answerZsh },
  fish: { script: fishScript, answer: answerFish },
} satisfies Record<string, Shell>;
