import { countEach } from "../../json/groups.js";
import type { Change } from "../../generated/plan.js";
import { canonical, type Json } from "../../json/json.js";
import { outerRun } from "./differing-runs.js";

/** Gives a text that is the same for equal edits, in linear time; what a reference stands for is no part of it. */
export function editKey({ path, before, after, order, outline, undoes, edited, own }: Change): string {
  const hand = [...(undoes ? ["undoes"] : []), ...(edited ? ["edited"] : []), ...(own ? ["own"] : [])];
  return JSON.stringify([path, order ?? null, outline ?? null, ...sidesOf(before, after), ...hand]);
}

function sidesOf(before: unknown, after: unknown): readonly unknown[] {
  if (typeof before === "string" && typeof after === "string") return linesOf(before, after);
  if (Array.isArray(before) && Array.isArray(after)) {
    const found = sequenceEdit((before as Json[]).map(canonical), (after as Json[]).map(canonical));
    if (found) return ["items", found.removed.toSorted(), found.added.toSorted()];
  }
  return ["values", valueText(before), valueText(after)];
}

function valueText(value: unknown): string | null {
  return value === undefined ? null : canonical(value as Json);
}

/** The lines that are only in one of two texts, in their order. */
export function changedLines(before: string, after: string): SequenceEdit {
  const [left, right] = [before.split("\n"), after.split("\n")];
  const run = outerRun(left, right);
  const [removed, added] = [left.slice(...run.before), right.slice(...run.after)];
  return sequenceEdit(removed, added) ?? { removed, added };
}

/** What two lists have beyond what both have in the same order. */
interface SequenceEdit {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

function linesOf(before: string, after: string): readonly unknown[] {
  if (!before.includes("\n") && !after.includes("\n")) return ["lines", [before], [after]];
  const { removed, added } = changedLines(before, after);
  // How all lines of both texts end is no part of an edit; where some end differently, it is.
  if (!hasReturns(removed, added) || !isReturned(before) || !isReturned(after))
    return ["lines", removed, added];
  return ["lines", removed.map(withoutReturn), added.map(withoutReturn)];
}

function hasReturns(...lists: readonly (readonly string[])[]): boolean {
  return lists.some((lines) => lines.some((line) => line.endsWith("\r")));
}

/** Whether every line end of a text is CRLF. */
function isReturned(text: string): boolean {
  return !/\r(?!\n)|(?:^|[^\r])\n/.test(text);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** Compares lists in which items may be more than once; undefined if what stays is in another order. */
export function sequenceEdit(before: readonly string[], after: readonly string[]): SequenceEdit | undefined {
  if (before.length === 0 || after.length === 0) return { removed: before, added: after };
  const forwards = split(before, after);
  if (forwards) return forwards;
  const found = split(before.toReversed(), after.toReversed());
  return found && { removed: found.removed.toReversed(), added: found.added.toReversed() };
}

function split(before: readonly string[], after: readonly string[]): SequenceEdit | undefined {
  const [left, right] = [parted(before, countEach(after)), parted(after, countEach(before))];
  const isSame =
    left.kept.length === right.kept.length && left.kept.every((each, index) => each === right.kept[index]);
  return isSame ? { removed: left.rest, added: right.rest } : undefined;
}

// Of equal items, the first are those that the others do not have.
function parted(items: readonly string[], others: ReadonlyMap<string, number>) {
  const left = countEach(items);
  const kept: string[] = [];
  const rest: string[] = [];
  for (const each of items) {
    const count = left.get(each) ?? 0;
    (count > (others.get(each) ?? 0) ? rest : kept).push(each);
    left.set(each, count - 1);
  }
  return { kept, rest };
}

/** An edit of words within lines that may be different otherwise, such as lines with a value for each resource. */
export interface WordEdit {
  /** The same for edits of the same words at the same path. */
  readonly key: string;
  /** The words of the changed lines that stay: those before the first changed word, and those after it. */
  readonly around: readonly [before: WordCounts, after: WordCounts];
}

type WordCounts = ReadonlyMap<string, number>;

/** Gives the words that change within the changed lines of a text; undefined where whole lines or other values change. */
export function wordEdit({ path, before, after }: Change): WordEdit | undefined {
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  const lines = changedLines(before, after);
  if (lines.removed.length === 0 || lines.added.length === 0) return undefined;
  const [was, now] = [wordsIn(lines.removed), wordsIn(lines.added)];
  // Most edits are short, and the rest need not be counted.
  const run = outerRun(was, now);
  const edit = sequenceEdit(was.slice(...run.before), now.slice(...run.after));
  if (!edit) return undefined;
  const { removed, added } = edit;
  const [head] = run.before;
  const kept = countEach(was.slice(head));
  for (const word of removed) kept.set(word, (kept.get(word) ?? 0) - 1);
  const around: WordEdit["around"] = [countEach(was.slice(0, head)), kept];
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

// Words, numbers and every other sign but spaces; an end of a line counts as a word.
function wordsIn(lines: readonly string[]): string[] {
  return lines.join("\n").match(/[\p{L}\p{M}\p{N}_]{1,1000}|\n|[^\p{L}\p{M}\p{N}_\s]/gu) ?? [];
}
