import type { Candidates } from "./candidates.js";

/** Renders candidates as lines, with what each means behind a tab. */
export function describedLines(found: Candidates): readonly string[] {
  if (found.type !== "words") return [found.type];
  const lines = found.words.map(({ word, about }) => (about === undefined ? word : `${word}\t${about}`));
  return ["words", ...lines];
}
