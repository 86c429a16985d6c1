import { pairLines } from "../render/difference/line-pairs.js";
import { lineText } from "./matching.js";
import type { LayoutLine } from "../render/change/change-layout.js";

/** A row of a side-by-side difference: a line over the whole width, or a left and a right line. */
export type SplitRow =
  | { readonly whole: LayoutLine }
  | { readonly left: LayoutLine | undefined; readonly right: LayoutLine | undefined };

/** Lays out a difference side by side, with a removed line and its replacement in one row. */
export function splitRows(lines: readonly LayoutLine[]): SplitRow[] {
  const rows: SplitRow[] = [];
  let removed: LayoutLine[] = [];
  let added: LayoutLine[] = [];
  let notes: LayoutLine[] = [];
  const flush = (): void => {
    for (const row of pairedRows(removed, added)) rows.push(row);
    for (const whole of notes) rows.push({ whole });
    [removed, added, notes] = [[], [], []];
  };
  for (const line of lines) {
    const { kind } = line;
    if (kind === "removed" && added.length > 0) flush();
    if (kind === "removed") removed.push(line);
    else if (kind === "added") added.push(line);
    else if ((kind === "note" || kind === "more") && removed.length + added.length > 0) notes.push(line);
    else {
      flush();
      rows.push(isAside(kind) ? { left: line, right: line } : { whole: line });
    }
  }
  flush();
  return rows;
}

function isAside(kind: LayoutLine["kind"]): boolean {
  return kind === "context" || kind === "part" || kind === "moved";
}

function pairedRows(removed: readonly LayoutLine[], added: readonly LayoutLine[]): SplitRow[] {
  const pairs = pairLines(removed.map(lineText), added.map(lineText));
  const rows: SplitRow[] = [];
  let [left, right] = [0, 0];
  const fill = (toLeft: number, toRight: number): void => {
    while (left < toLeft || right < toRight) {
      rows.push({
        left: left < toLeft ? removed[left++] : undefined,
        right: right < toRight ? added[right++] : undefined,
      });
    }
  };
  for (const [from, to] of pairs) {
    fill(from, to);
    fill(from + 1, to + 1);
  }
  fill(removed.length, added.length);
  return rows;
}
