import { didYouMean } from "../core/finding/nearest.js";

/** Gives the end of a message about an unknown word: the one that was probably meant, or nothing. */
export function orMeant(word: string, candidates: Iterable<string>): string {
  const hint = didYouMean(word, candidates);
  return hint === undefined ? "" : `; ${hint}`;
}
