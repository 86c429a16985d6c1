import { headOf } from "../words/cut-text.js";
import { paletteOf } from "../words/palette.js";

const barAtMost = 30;
const barAtLeast = 8;

/** Renders a part of a whole as a bar before a text, or the text alone where there is no room; never wider than the room. */
export function renderBar(
  { part, whole, text }: { readonly part: number; readonly whole: number; readonly text: string },
  { columns, color }: { readonly columns: number; readonly color: boolean },
): string {
  const width = Math.min(barAtMost, columns - text.length - 2);
  if (width < barAtLeast) return cutLine(text, columns);
  const filled = whole === 0 ? 0 : Math.floor((part / whole) * width);
  const palette = paletteOf(color);
  return `${palette.added("█".repeat(filled))}${palette.dim("░".repeat(width - filled))} ${text}`;
}

/** Cuts a line so that it is narrower than some columns. */
export function cutLine(line: string, columns: number): string {
  return line.length < columns ? line : `${headOf(line, Math.max(0, columns - 2))}…`;
}

/** How many objects were read, of how many. */
export interface ReadingCounts {
  readonly done: number;
  readonly all: number;
}

/** Renders how many objects were read as one line, such as `120 of 1,000 read`. */
export function renderReadingLine({ done, all }: ReadingCounts): string {
  return `${done.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} read`;
}

/** Renders how many objects were read as a bar; no wider than the room. */
export function renderReading(
  counts: ReadingCounts,
  room: { readonly columns: number; readonly color: boolean },
): string {
  return renderBar({ part: counts.done, whole: counts.all, text: renderReadingLine(counts) }, room);
}
