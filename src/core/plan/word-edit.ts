import type { Change } from "./difference.js";
import { changedLines, changedPart, editOf } from "./edit-key.js";

/** An edit of words within lines that may be different otherwise, such as lines with a value for each resource. */
export interface WordEdit {
  /** The same for edits of the same words at the same path. */
  readonly key: string;
  /** The words of the changed lines that stay: those before the first changed word, and those after it. */
  readonly around: readonly [before: WordCounts, after: WordCounts];
}

/** How often each word is there. */
type WordCounts = ReadonlyMap<string, number>;

/** Gives the words that change within the changed lines of a text; undefined where whole lines or other values change. */
export function wordEdit({ path, before, after }: Change): WordEdit | undefined {
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  const lines = changedLines(before, after);
  if (lines.removed.length === 0 || lines.added.length === 0) return undefined;
  const was = wordsIn(lines.removed);
  const { head, left, right } = changedPart(was, wordsIn(lines.added));
  const edit = editOf(left, right);
  if (!edit) return undefined;
  const { removed, added } = edit;
  const kept = countsOf(was.slice(head));
  for (const word of removed) kept.set(word, (kept.get(word) ?? 0) - 1);
  const around: WordEdit["around"] = [countsOf(was.slice(0, head)), kept];
  if (around.every((words) => sumOf(words) === 0)) return undefined;
  return { key: JSON.stringify([path, lines.removed.length, lines.added.length, removed, added]), around };
}

/** Whether at least half of the words before and after the change are the same, so that both may be of one sentence. */
export function isAlike({ around: one }: WordEdit, { around: other }: WordEdit): boolean {
  return areAlike(one[0], other[0]) && areAlike(one[1], other[1]);
}

function areAlike(one: WordCounts, other: WordCounts): boolean {
  let same = 0;
  for (const [word, count] of one) same += Math.min(count, other.get(word) ?? 0);
  return 2 * same >= Math.max(sumOf(one), sumOf(other));
}

function sumOf(words: WordCounts): number {
  let sum = 0;
  for (const count of words.values()) sum += count;
  return sum;
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

// Words, numbers and every other sign but spaces; an end of a line counts as a word.
function wordsIn(lines: readonly string[]): string[] {
  return lines.join("\n").match(/[\p{L}\p{M}\p{N}_]+|\n|[^\p{L}\p{M}\p{N}_\s]/gu) ?? [];
}
