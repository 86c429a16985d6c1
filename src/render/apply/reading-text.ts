import { renderBar } from "./bar-text.js";

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
