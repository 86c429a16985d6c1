import { diffArrays } from "diff";

/** A run of items that differ, as half-open ranges of both lists. */
export interface Run {
  readonly before: readonly [from: number, to: number];
  readonly after: readonly [from: number, to: number];
}

const mostEdits = 1000;
// Steps of the comparison, for hostile texts.
const mostSteps = 20_000_000;

/** Gives the runs in which two lists differ, in their order; undefined if they are too unlike to be compared item by item. */
export function differingRuns<Item>(before: readonly Item[], after: readonly Item[]): Run[] | undefined {
  const trimmed = outerRun(before, after);
  const [left, right] = [before.slice(...trimmed.before), after.slice(...trimmed.after)];
  // A whole side gone or new is one run, however long.
  if (left.length === 0 || right.length === 0) return left.length + right.length > 0 ? [trimmed] : [];
  if (left.length === 1 && right.length === 1) return [trimmed];
  const steps = Math.floor(mostSteps / (left.length + right.length + 1));
  const numbers = new Map<Item, number>();
  const numberOf = (item: Item): number => {
    const number = numbers.get(item) ?? numbers.size;
    numbers.set(item, number);
    return number;
  };
  const parts = diffArrays(left.map(numberOf), right.map(numberOf), {
    maxEditLength: Math.max(100, Math.min(mostEdits, steps)),
  });
  return parts && runsOf(parts, trimmed);
}

/** Gives the run between what two lists begin with and end with in common. */
export function outerRun<Item>(before: readonly Item[], after: readonly Item[]): Run {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { before: [head, before.length - tail], after: [head, after.length - tail] };
}

function runsOf(parts: ReturnType<typeof diffArrays<number>>, trimmed: Run): Run[] {
  const runs: Run[] = [];
  let [before, after] = [trimmed.before[0], trimmed.after[0]];
  let [fromBefore, fromAfter] = [before, after];
  const close = (): void => {
    if (before > fromBefore || after > fromAfter)
      runs.push({ before: [fromBefore, before], after: [fromAfter, after] });
  };
  for (const { added, removed, count } of parts) {
    if (!added && !removed) close();
    if (!added) before += count;
    if (!removed) after += count;
    if (!added && !removed) [fromBefore, fromAfter] = [before, after];
  }
  close();
  return runs;
}
