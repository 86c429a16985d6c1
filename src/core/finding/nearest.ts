import { Said } from "./said.js";

/** Gives the candidate within one edit, or two from eight letters on; undefined if the word is a candidate itself. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const limit = word.length >= 8 ? 2 : 1;
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (candidate === word) return undefined;
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const distance = editDistance(word, candidate, limit);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Gives the candidate that a word is, but for case, width, spaces, `_` and `-`, or two swapped letters. */
export function slipOf(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.includes(word)) return undefined;
  return candidates.find((each) => lettersOf(each) === lettersOf(word) || isSwapped(word, each));
}

/** Gives the only candidate of several words of which a word is one, such as `system_prompt` for `prompt`. */
export function wordOf(word: string, candidates: readonly string[]): string | undefined {
  const [found, ...others] = candidates.filter((each) => `_${each}_`.includes(`_${word}_`));
  return others.length === 0 ? found : undefined;
}

function lettersOf(name: string): string {
  return name
    .normalize("NFKC")
    .replaceAll(/[\s_-]/g, "")
    .toLowerCase();
}

function isSwapped(word: string, other: string): boolean {
  if (word.length !== other.length) return false;
  const at = [...word].findIndex((letter, index) => letter !== other[index]);
  const swapped = word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2);
  return swapped === other;
}

/** Gives a hint with the candidate that was probably meant; what is before the word is changed with it. */
export function didYouMean(word: string, candidates: Iterable<string>, before = ""): Said | undefined {
  const candidate = nearest(word, candidates);
  return candidate === undefined ? undefined : meaning(word, candidate, before);
}

/** Gives a hint with what was probably meant by a word. */
export function meaning(word: string, meant: string, before = ""): Said {
  const fix = { type: "change", from: before + word, to: before + meant } as const;
  return new Said(`did you mean \`${meant}\`?`, { meant }, [fix]);
}

const mostComparisons = 500_000;

/** Makes a didYouMean for many words; after some number of comparisons it gives no more hints. */
export function didYouMeanAmong(
  candidates: readonly string[],
): (word: string, before?: string) => Said | undefined {
  let left = mostComparisons;
  return (word, before) => {
    if (left <= 0) return undefined;
    left -= candidates.length;
    return didYouMean(word, candidates, before);
  };
}

// Insertions, deletions, substitutions and transpositions of neighbours count one each.
function editDistance(one: string, other: string, limit: number): number {
  const [a, b] = withoutCommonEnds(one, other);
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  let least = 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let leastHere = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
      leastHere = Math.min(leastHere, cost);
    }
    // A transposition uses the row before the previous one.
    if (leastHere > limit && least > limit) return leastHere;
    least = leastHere;
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

function withoutCommonEnds(a: string, b: string): [string, string] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}
