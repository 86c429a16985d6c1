import type { Sentence } from "../finding/said.js";
import { meaning, nearest } from "../finding/nearest.js";

/** Gives a hint for a name that is no environment: the one that was probably meant, or else all there are. */
export function environmentHint(name: string, known: readonly string[]): Sentence {
  const meant = nearest(name, known) ?? abbreviated(name, known);
  if (meant !== undefined) return meaning(name, meant);
  return known.length > 0 ? `known: ${known.join(", ")}` : "the manifest has none";
}

const shortest = 3;

// `prod` for `production`, or the other way round; not if it could be several.
function abbreviated(name: string, known: readonly string[]): string | undefined {
  const similar = known.filter(
    (each) =>
      Math.min(each.length, name.length) >= shortest && (each.startsWith(name) || name.startsWith(each)),
  );
  return similar.length === 1 ? similar[0] : undefined;
}
