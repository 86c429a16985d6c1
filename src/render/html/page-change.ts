import { readable } from "../../core/expression/expression.js";
import { isObject, type Json } from "../../json/json.js";
import type { MovedReference, Room, ShownChange, ShownContent } from "../change/shown-change.js";
import {
  differenceOfTexts,
  type DifferenceLine,
  type Segment,
  type TextDifference,
} from "../difference/text-difference.js";
import { countText } from "../words/count-text.js";
import { blockText, flowText, isNested, pairTexts, scalarText } from "../words/value-text.js";
import type { PageChange, PageLine, PageSegment } from "./page-data.js";

/** How much of a change the page holds. */
export interface PageRoom extends Room {
  /** How many lines. */
  readonly lines: number;
}

type Layout = Omit<PageChange, "path" | "sign" | "origin" | "hand">;

// Characters that are shown beside the field.
const mostOnLine = 120;
const mostBlock = 2000;
const notedMove = "what it refers to changes";

/** Makes the room of a change on the page. */
export function pageRoom(width: number, lines: number): PageRoom {
  return { width, short: mostOnLine, lines };
}

/** Lays out one change as the page holds it. */
export function pageChange(change: ShownChange, room: PageRoom): PageChange {
  const { path, sign, origin, hand, content } = change;
  return {
    path,
    sign,
    ...(origin !== undefined && { origin }),
    ...(hand !== undefined && { hand }),
    ...layOut(content, sign, room),
  };
}

function layOut(content: ShownContent, sign: ShownChange["sign"], room: PageRoom): Layout {
  switch (content.sort) {
    case "value":
      return valueShown(content.value, sign, room);
    case "outline": {
      const [said, ...more] = content.lines;
      return { said, lines: more.map((line) => [" ", line]) };
    }
    case "part":
      return { said: content.words };
    case "pair": {
      const [before, after] = pairTexts(content.before, content.after);
      return { before, after };
    }
    case "nested":
      return { lines: blockDifference(content.before, content.after, room) };
    case "difference":
      return { lines: pageLines(content.difference, room) };
    case "items": {
      const { removed, added, moved } = content;
      const lines = [...blockDifference([...removed], [...added], room), ...movedLines(moved)];
      return lines.length === 0 ? { said: notedMove } : { lines };
    }
    case "order": {
      const { before, after, isSameText, moved } = content;
      const items = isSameText ? [] : blockDifference([...before], [...after], room);
      return { said: "same items, another order", lines: [...items, ...movedLines(moved)] };
    }
    case "moved":
      return movedShown(content.text, content.moved);
    case "secret":
      return { said: `secret: ${content.revision}` };
  }
}

function valueShown(value: Json, sign: ShownChange["sign"], room: PageRoom): Layout {
  const isLong = isText(value) && value.includes("\n");
  const flow = isText(value) ? scalarText(value) : flowText(value, mostOnLine);
  if (flow.length <= mostOnLine && !isLong) return { [sign === "-" ? "before" : "after"]: flow };
  const text = isText(value) ? readable(value) : blockOf(value, room);
  const [from, to] = sign === "-" ? [text, ""] : ["", text];
  return { lines: pageLines(differenceOfTexts(from, to, room.width), room) };
}

function movedShown(text: string | undefined, moved: readonly MovedReference[]): Layout {
  const [only, ...more] = moved;
  if (only === undefined) return { said: text === undefined ? notedMove : `${text}, ${notedMove}` };
  if (more.length === 0) return { said: `${text ?? only.name} ${only.fate}` };
  return { lines: movedLines(moved) };
}

function movedLines(moved: readonly MovedReference[]): PageLine[] {
  return moved.map(({ name, fate }) => [" ", name, [` ${fate}`]]);
}

function blockDifference(before: Json, after: Json, room: PageRoom): PageLine[] {
  return pageLines(differenceOfTexts(blockOf(before, room), blockOf(after, room), room.width), room);
}

// An item or a member a line, as far as they are short: what is compared by line should not stand in one.
function blockOf(value: Json, room: PageRoom): string {
  if (Array.isArray(value)) return value.map((item) => entryOf("", item, room)).join("\n");
  if (!isObject(value)) return flowText(value, room.width);
  return Object.entries(value)
    .map(([key, member]) => entryOf(`${flowText(key, room.width)}:`, member, room))
    .join("\n");
}

function entryOf(head: string, value: Json, { width }: PageRoom): string {
  const flow = flowText(value, width);
  const isFlow = isText(value) ? !value.includes("\n") : !isNested(value) || flow.length <= mostOnLine;
  if (isFlow) return head === "" ? flow : `${head} ${flow}`;
  const { lines, left } = blockText(value, width, mostBlock);
  const more = left > 0 ? [`… ${countText(left, "more line")}`] : [];
  return [head === "" ? "•" : head, ...[...lines, ...more].map((line) => `  ${line}`)].join("\n");
}

function pageLines({ lines }: TextDifference, { lines: most }: PageRoom): PageLine[] {
  const left = lines.length - most;
  // One line more takes no more room than saying that there is one.
  if (left <= 1) return lines.map(pageLine);
  return [
    ...lines.slice(0, most).map(pageLine),
    ["!", `… ${countText(left, "more line")}, not included in this page`],
  ];
}

function pageLine(line: DifferenceLine): PageLine {
  if (line.kind === "hunk") return ["@", line.line];
  if (line.kind === "note") return ["!", line.text];
  const sign = line.kind === "removed" ? "-" : line.kind === "added" ? "+" : " ";
  return [sign, ...pageSegments(line.segments)];
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

function isText(value: Json): value is string {
  return typeof value === "string";
}
