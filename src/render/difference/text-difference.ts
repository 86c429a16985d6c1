import { differingRuns, hasWords, outerRun, type Run } from "../../core/review/differing-runs.js";
import { countEach } from "../../json/groups.js";
import { countText } from "../words/count-text.js";
import { pairLines } from "./line-pairs.js";
import { contextSegments, loneSegments, pairedSegments, type Segment } from "./line-segments.js";

export type { Segment };

/** One line of a difference; its texts are safe to show, and a format escapes only what is its own. */
export type DifferenceLine =
  | { readonly kind: "context" | "removed" | "added"; readonly segments: readonly Segment[] }
  /** What follows begins at this line of the new text, from 1; lines are left out before it. */
  | { readonly kind: "hunk"; readonly line: number }
  /** Something said in words, such as `no newline at end`. */
  | { readonly kind: "note"; readonly text: string };

/** What differs between two texts, by line and, in lines that are alike, by word. */
export interface TextDifference {
  readonly lines: readonly DifferenceLine[];
  /** Whether the texts are too unlike to be compared, so that `lines` has all of the one before all of the other. */
  readonly unlike: boolean;
  /** Says of lines that only changed places that they did; undefined if there are none. */
  readonly moved?: string;
}

interface Sides {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The side whose last line has no line end, where the other's has one. */
  readonly open: "before" | "after" | undefined;
}

const contextLines = 2;
// A bound for hostile texts: how much is compared by word.
const mostWordText = 500_000;

/** Compares two texts; every line that is removed or added is there, and of those that stay the ones around it. */
export function differenceOfTexts(before: string, after: string): TextDifference {
  const sides: Sides = {
    before: linesOf(before),
    after: linesOf(after),
    open: openSide(before, after),
  };
  const [left, right] = [keysOf(sides, "before"), keysOf(sides, "after")];
  const blocks = differingRuns(left, right);
  if (!blocks) return { lines: unlikeLines(sides, outerRun(left, right)), unlike: true };
  const moved = movedText(sides, blocks);
  return { lines: hunkLines(sides, blocks), unlike: false, ...(moved !== undefined && { moved }) };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function openSide(before: string, after: string): Sides["open"] {
  if (before === "" || after === "" || before.endsWith("\n") === after.endsWith("\n")) return undefined;
  return before.endsWith("\n") ? "after" : "before";
}

// A last line without its end is not the same line.
function keysOf(sides: Sides, side: "before" | "after"): readonly string[] {
  if (sides.open !== side) return sides[side];
  return sides[side].map((line, index) => (isOpen(sides, side, index) ? `${line}\n` : line));
}

function isOpen(sides: Sides, side: "before" | "after", index: number): boolean {
  return sides.open === side && index === sides[side].length - 1;
}

// Of lines that change places, the one that then means something else may be among those that stay.
function movedText(sides: Sides, blocks: readonly Run[]): string | undefined {
  const changed = (side: "before" | "after"): string[] =>
    blocks.flatMap(({ [side]: [from, to] }) =>
      sides[side].slice(from, to).filter((line, at) => hasWords(line) && !isOpen(sides, side, from + at)),
    );
  const [removed, added] = [changed("before"), changed("after")];
  const left = countEach(removed);
  let moved = 0;
  for (const line of added) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    left.set(line, count - 1);
    moved++;
  }
  if (moved === 0) return undefined;
  const isAll = moved === removed.length && moved === added.length;
  return isAll
    ? "the same lines in a new order: read them with those around them"
    : `${countText(moved, "line")} moved: read ${moved === 1 ? "it" : "them"} with those around`;
}

function unlikeLines(sides: Sides, block: Run): DifferenceLine[] {
  const [removed, added] = [block.before, block.after].map(([from, to]) => countText(to - from, "line"));
  return [
    { kind: "note", text: `rewritten: ${removed} removed, ${added} added` },
    ...unpairedLines(sides, block),
    ...(sides.open ? [{ kind: "note", text: openNote(sides.open) } as const] : []),
  ];
}

function openNote(open: "before" | "after"): string {
  return `no newline at end of the ${open === "after" ? "new" : "old"} text`;
}

function hunkLines(sides: Sides, blocks: readonly Run[]): DifferenceLine[] {
  const maxEdits = wordEdits(sides, blocks);
  let shown = 0;
  return blocks.flatMap((block, index) => {
    const [start, end] = block.after;
    let from = Math.max(shown, start - contextLines);
    // A mark takes a line itself, so it leaves out more than one.
    if (from - shown === 1) from = shown;
    const isLater = from > shown;
    const next = blocks[index + 1]?.after[0] ?? sides.after.length;
    shown = Math.min(end + contextLines, next);
    return [
      ...(isLater ? [{ kind: "hunk", line: from + 1 } as const] : []),
      ...contextOf(sides, from, start),
      ...blockLines(sides, block, maxEdits),
      ...contextOf(sides, end, shown),
    ];
  });
}

function contextOf({ after }: Sides, from: number, to: number): DifferenceLine[] {
  return after.slice(from, to).map((line) => ({ kind: "context", segments: contextSegments(line) }));
}

// Few changed lines are compared at length, many only as far as a line usually changes; very much text not at all.
function wordEdits(sides: Sides, blocks: readonly Run[]): number {
  let [lines, text] = [0, 0];
  for (const { before, after } of blocks) {
    const changed = [...sides.before.slice(...before), ...sides.after.slice(...after)];
    lines += changed.length;
    text += changed.reduce((sum, line) => sum + line.length, 0);
  }
  return text > mostWordText ? 0 : Math.max(60, Math.min(500, Math.floor(4000 / (lines + 1))));
}

function unpairedLines(sides: Sides, block: Run): DifferenceLine[] {
  return (["before", "after"] as const).flatMap((side) => {
    const kind = side === "before" ? "removed" : "added";
    const lines = sides[side].slice(...block[side]);
    return lines.map((line) => ({ kind, segments: loneSegments(line) }) as const);
  });
}

function blockLines(sides: Sides, block: Run, maxEdits: number): DifferenceLine[] {
  const removed = sides.before.slice(...block.before);
  const added = sides.after.slice(...block.after);
  const left = removed.map(loneSegments);
  const right = added.map(loneSegments);
  for (const [from, to] of maxEdits > 0 ? pairLines(removed, added) : []) {
    const paired = pairedSegments(removed[from] ?? "", added[to] ?? "", maxEdits);
    if (paired) [left[from], right[to]] = paired;
  }
  return [
    ...left.map((segments) => ({ kind: "removed", segments }) as const),
    ...noteAfter(sides, "before", block),
    ...right.map((segments) => ({ kind: "added", segments }) as const),
    ...noteAfter(sides, "after", block),
  ];
}

function noteAfter(sides: Sides, side: "before" | "after", block: Run): DifferenceLine[] {
  const [from, to] = block[side];
  if (from === to || !isOpen(sides, side, to - 1)) return [];
  return [{ kind: "note", text: "no newline at end" }];
}
