import { countEach } from "../../json/groups.js";

// How many comparisons of lines one block is worth.
const mostComparisons = 2500;
const least = 0.4;

/** Pairs removed lines with the added lines that stand for them, as indexes of both: in order, the likest together. */
export function pairLines(
  removed: readonly string[],
  added: readonly string[],
): (readonly [number, number])[] {
  const comparisons = removed.length * added.length;
  if (comparisons === 0 || comparisons > mostComparisons) return [];
  const [left, right] = [removed.map(countWords), added.map(countWords)];
  const likenesses = left.map((words) => right.map((other) => likeness(words, other)));
  const sums = sumsOfBest(likenesses, added.length);
  const pairs: (readonly [number, number])[] = [];
  let [from, to] = [0, 0];
  while (from < removed.length && to < added.length) {
    const best = sums[from]?.[to] ?? 0;
    if (best === sums[from + 1]?.[to]) from++;
    else if (best === sums[from]?.[to + 1]) to++;
    else pairs.push([from++, to++]);
  }
  return pairs;
}

// The most that pairs of the lines from here on can add up to, by the first removed and the first added line.
function sumsOfBest(likenesses: readonly (readonly number[])[], width: number): number[][] {
  const sums: number[][] = [Array.from({ length: width + 1 }, () => 0)];
  for (const row of likenesses.toReversed()) {
    const below = sums[0] ?? [];
    const sum = Array.from({ length: width + 1 }, () => 0);
    for (let to = width - 1; to >= 0; to--) {
      const paired = (row[to] ?? 0) >= least ? (row[to] ?? 0) + (below[to + 1] ?? 0) : 0;
      sum[to] = Math.max(paired, below[to] ?? 0, sum[to + 1] ?? 0);
    }
    sums.unshift(sum);
  }
  return sums;
}

interface LineWords {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function countWords(line: string): LineWords {
  const words = line.match(/[\p{L}\p{N}_]{1,1000}|[^\s\p{L}\p{N}_]/gu) ?? [];
  return { counts: countEach(words), total: words.length };
}

function likeness(left: LineWords, right: LineWords): number {
  if (left.total === 0 || right.total === 0) return left.total === right.total ? 1 : 0;
  let common = 0;
  for (const [word, count] of left.counts) common += Math.min(count, right.counts.get(word) ?? 0);
  return (2 * common) / (left.total + right.total);
}
