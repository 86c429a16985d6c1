import { type LayoutLine, layOutChange } from "../change/change-layout.js";
import type { Room, ShownChange } from "../change/shown-change.js";
import type { Segment } from "../difference/text-difference.js";
import { countText } from "../words/count-text.js";
import { wholeRoom } from "../words/value-excerpt.js";
import type { PageChange, PageLine, PageSegment } from "./page-data.js";

/** How much of a change the page holds. */
export interface PageRoom extends Room {
  /** How many lines. */
  readonly lines: number;
}

const signs = { context: " ", added: "+", removed: "-" } as const;

// Characters that are shown beside the field.
const mostOnLine = 120;

/** Makes the room of a change on the page. */
export function pageRoom(width: number, lines: number): PageRoom {
  return { width, short: mostOnLine, lines };
}

/** Lays out one change as the page holds it. */
export function pageChange(change: ShownChange, { width, lines: most }: PageRoom): PageChange {
  const { path, sign, origin, hand } = change;
  const values = { ...wholeRoom(mostOnLine), longest: width };
  const { before, after, said, note, lines } = layOutChange(change, { width, values });
  const words = [said, note].filter((text) => text !== undefined);
  return {
    path,
    sign,
    ...(origin !== undefined && { origin }),
    ...(hand !== undefined && { hand }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(words.length > 0 && { said: words.join(" ") }),
    ...(lines.length > 0 && { lines: pageLines(lines, most) }),
  };
}

function pageLines(lines: readonly LayoutLine[], most: number): PageLine[] {
  const left = lines.length - most;
  // One line more takes no more room than saying that there is one.
  if (left <= 1) return lines.map(pageLine);
  return [
    ...lines.slice(0, most).map(pageLine),
    ["!", `… ${countText(left, "more line")}, not included in this page`],
  ];
}

function pageLine(line: LayoutLine): PageLine {
  switch (line.kind) {
    case "hunk":
      return ["@", line.line];
    case "note":
    case "more":
      return ["!", line.text];
    case "part":
      return [" ", line.text];
    case "moved":
      return [" ", line.name, [` ${line.fate}`]];
    default:
      return [signs[line.kind], ...pageSegments(line.segments)];
  }
}

function pageSegments(segments: readonly Segment[]): PageSegment[] {
  const merged: PageSegment[] = [];
  for (const { text, changed } of segments) {
    const last = merged.at(-1);
    if (changed) merged.push([text]);
    else if (typeof last === "string") merged[merged.length - 1] = last + text;
    else merged.push(text);
  }
  return merged;
}
