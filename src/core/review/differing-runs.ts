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
export function differingRuns<Each>(before: readonly Each[], after: readonly Each[]): Run[] | undefined {
  const trimmed = outerRun(before, after);
  const [left, right] = [before.slice(...trimmed.before), after.slice(...trimmed.after)];
  // A whole side gone or new is one run, however long.
  if (left.length === 0 || right.length === 0) return left.length + right.length > 0 ? [trimmed] : [];
  if (left.length === 1 && right.length === 1) return [trimmed];
  // What only one side has differs anyway, however the rest is compared.
  const [ofLeft, ofRight] = [new Set(left), new Set(right)];
  const shared: Shared = { before: placesOf(left, ofRight), after: placesOf(right, ofLeft) };
  const lone = left.length - shared.before.length + right.length - shared.after.length;
  const steps = Math.floor(mostSteps / (left.length + right.length + 1));
  const maxEditLength = Math.max(100, Math.min(mostEdits, steps)) - lone;
  if (maxEditLength < 0) return undefined;
  const numbers = new Map<Each, number>();
  const numberOf = (item: Each): number => {
    const number = numbers.get(item) ?? numbers.size;
    numbers.set(item, number);
    return number;
  };
  const parts = diffArrays(
    shared.before.map((at) => numberOf(left[at] as Each)),
    shared.after.map((at) => numberOf(right[at] as Each)),
    { maxEditLength },
  );
  return parts && runsOf(parts, shared, trimmed);
}

/** Where the items are that both sides have, counted from the first that differs. */
interface Shared {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

function placesOf<Each>(items: readonly Each[], others: ReadonlySet<Each>): number[] {
  return items.flatMap((item, at) => (others.has(item) ? [at] : []));
}

/** Gives the run between what two lists begin with and end with in common. */
export function outerRun<Each>(before: readonly Each[], after: readonly Each[]): Run {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { before: [head, before.length - tail], after: [head, after.length - tail] };
}

function runsOf(parts: ReturnType<typeof diffArrays<number>>, shared: Shared, trimmed: Run): Run[] {
  const runs: Run[] = [];
  const [oldStart, newStart] = [trimmed.before[0], trimmed.after[0]];
  let [before, after] = [oldStart, newStart];
  const differUpTo = (old: number, now: number): void => {
    if (old > before || now > after) runs.push({ before: [before, old], after: [after, now] });
    [before, after] = [old + 1, now + 1];
  };
  let [atOld, atNow] = [0, 0];
  for (const { added, removed, count } of parts) {
    if (!added && !removed) {
      for (let each = 0; each < count; each++) {
        differUpTo(
          oldStart + (shared.before[atOld + each] ?? 0),
          newStart + (shared.after[atNow + each] ?? 0),
        );
      }
    }
    if (!added) atOld += count;
    if (!removed) atNow += count;
  }
  differUpTo(trimmed.before[1], trimmed.after[1]);
  return runs;
}

/** Whether a line has a letter or a digit. */
export function hasWords(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}
