import { pairLines } from "../render/difference/line-pairs.js";
import { lineText } from "./matching.js";
import type { PageLine } from "../render/html/page-data.js";

/** A row of a side-by-side difference: a line over the whole width, or a left and a right line. */
export type SplitRow =
  | { readonly whole: PageLine }
  | { readonly left: PageLine | undefined; readonly right: PageLine | undefined };

/** Lays out a difference side by side, with a removed line and its replacement in one row. */
export function splitRows(lines: readonly PageLine[]): SplitRow[] {
  const rows: SplitRow[] = [];
  let removed: PageLine[] = [];
  let added: PageLine[] = [];
  let notes: PageLine[] = [];
  const flush = (): void => {
    rows.push(...pairedRows(removed, added), ...notes.map((whole) => ({ whole })));
    [removed, added, notes] = [[], [], []];
  };
  for (const line of lines) {
    const [kind] = line;
    if (kind === "-" && added.length > 0) flush();
    if (kind === "-") removed.push(line);
    else if (kind === "+") added.push(line);
    else if (kind === "!" && removed.length + added.length > 0) notes.push(line);
    else {
      flush();
      rows.push(kind === " " ? { left: line, right: line } : { whole: line });
    }
  }
  flush();
  return rows;
}

function pairedRows(removed: readonly PageLine[], added: readonly PageLine[]): SplitRow[] {
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
