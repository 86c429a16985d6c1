// How far down an added line may stand from the removed line that it replaces.
const reach = 4;
const longestBlock = 200;
const likeness = 0.4;

/** Pairs removed lines with the added lines that stand for them, in order: indexes of both. */
export function pairLines(
  removed: readonly string[],
  added: readonly string[],
): (readonly [number, number])[] {
  if (Math.max(removed.length, added.length) > longestBlock) return [];
  const left = removed.map(countWords);
  const right = added.map(countWords);
  const pairs: (readonly [number, number])[] = [];
  let from = 0;
  for (const [index, words] of left.entries()) {
    const candidates = right.slice(from, from + reach);
    const found = candidates.findIndex((other) => areAlike(words, other));
    if (found === -1) continue;
    pairs.push([index, from + found]);
    from += found + 1;
  }
  return pairs;
}

interface Words {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function countWords(line: string): Words {
  const words = line.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, total: words.length };
}

function areAlike(left: Words, right: Words): boolean {
  if (left.total === 0 || right.total === 0) return left.total === right.total;
  let common = 0;
  for (const [word, count] of left.counts) common += Math.min(count, right.counts.get(word) ?? 0);
  return (2 * common) / (left.total + right.total) >= likeness;
}
