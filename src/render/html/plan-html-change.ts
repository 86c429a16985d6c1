import type { Change } from "../../generated/plan.js";
import { readable } from "../../core/expression/expression.js";
import { equal, isObject, type Json } from "../../json/json.js";
import type { PageChange, PageLine, PageSegment } from "./page-data.js";
import { shownTexts } from "../change/change-text.js";
import { countText } from "../words/count-text.js";
import { itemsWithout } from "../change/list-change-text.js";
import { outlineChange, outlineLines, outlineOf } from "../words/outline-text.js";
import { revisionChange } from "../words/secret-revision.js";
import { safeLine } from "../words/terminal-text.js";
import { differenceOfTexts, type DifferenceLine, type Segment } from "../difference/text-difference.js";
import { blockText, flowText, quoted, scalarText } from "../words/value-text.js";

/** How much of a change the page holds. */
export interface ChangeRoom {
  /** About how many characters of a line. */
  readonly width: number;
  /** How many lines. */
  readonly lines: number;
}

/** How the changes of one action are rendered. */
export interface PageChangeStyle {
  readonly room: ChangeRoom;
  /** Says what happens to what a reference stands for. */
  readonly fateOf: (reference: string) => string;
}

type Shown = Omit<PageChange, "path" | "sign">;

const shortest = 120;
const mostBlock = 2000;
const notedMove = "what it refers to changes";

/** Makes of one change what the page shows of it. */
export function pageChange(change: Change, style: PageChangeStyle): PageChange {
  const { before, after } = change;
  const sign = before === undefined ? "+" : after === undefined ? "-" : "~";
  const outlined = outlineChange(change);
  if (outlined) return { path: safeLine(outlined.path), sign, said: outlined.text };
  const shown =
    before === undefined || after === undefined
      ? oneSided(change, style)
      : twoSided(change, before, after, style);
  return { path: safeLine(change.path), sign, ...shown };
}

function oneSided(change: Change, { room }: PageChangeStyle): Shown {
  const { before, after } = change;
  const value = after ?? before ?? null;
  const side = after === undefined ? "before" : "after";
  const outline = outlineOf(change);
  if (outline) {
    const [said, ...more] = outlineLines(outline);
    return { said, lines: more.map((line) => [" ", line]) };
  }
  const flow = isText(value) ? scalarText(value) : flowText(value, shortest);
  if (flow.length <= shortest && !(isText(value) && value.includes("\n"))) return { [side]: flow };
  const text = isText(value) ? readable(value) : blockOf(value, room);
  const [from, to] = side === "before" ? [text, ""] : ["", text];
  return { lines: differenceLines(from, to, room) };
}

function twoSided(change: Change, before: Json, after: Json, style: PageChangeStyle): Shown {
  if (Array.isArray(before) && Array.isArray(after)) return listChange(change, before, after, style);
  if (isText(before) && isText(after)) return textChange(change, before, after, style);
  if (isNested(before) || isNested(after)) {
    return {
      lines: differenceLines(blockOf(before, style.room), blockOf(after, style.room), style.room),
    };
  }
  return { before: scalarText(before), after: scalarText(after) };
}

function listChange(
  { order, references = [] }: Change,
  before: readonly Json[],
  after: readonly Json[],
  style: PageChangeStyle,
): Shown {
  const isMoved = order === true && !equal([...before], [...after]);
  const [left, right] = isMoved
    ? [before, after]
    : [itemsWithout(before, after), itemsWithout(after, before)];
  const [from, to] = [blockOf([...left], style.room), blockOf([...right], style.room)];
  const lines = [...differenceLines(from, to, style.room), ...movedLines(references, style)];
  if (order) return { said: "same items, another order", lines };
  return lines.length === 0 ? { said: notedMove } : { lines };
}

function textChange(change: Change, before: string, after: string, style: PageChangeStyle): Shown {
  if (before === after) return sameText(change, after, style);
  const revision = revisionChange(before, after);
  if (revision !== undefined) return { said: `secret: ${safeLine(revision)}` };
  const [left, right] = shownTexts(before, after);
  const isShort = left.length + right.length <= shortest && !/\n/.test(left + right);
  const onlySpaces = left.replace(/\s/gu, "") === right.replace(/\s/gu, "") && left !== "" && right !== "";
  if (!isShort || onlySpaces) return { lines: differenceLines(left, right, style.room) };
  const texts = [scalarText(before), scalarText(after)] as const;
  const [from, to] = texts[0] === texts[1] ? [quoted(before), quoted(after)] : texts;
  return { before: from, after: to };
}

function sameText({ references = [] }: Change, text: string, style: PageChangeStyle): Shown {
  const isShort = text.length <= shortest && !text.includes("\n");
  const [only, ...more] = references;
  if (only !== undefined && more.length === 0) {
    const shown = isShort ? readable(text) : `\${${only}}`;
    return { said: safeLine(`${shown} ${style.fateOf(only)}`) };
  }
  if (references.length === 0) return { said: isShort ? `${scalarText(text)}, ${notedMove}` : notedMove };
  return { lines: movedLines(references, style) };
}

function movedLines(references: readonly string[], { fateOf }: PageChangeStyle): PageLine[] {
  return references.map((name) => [" ", safeLine(`\${${name}}`), [safeLine(` ${fateOf(name)}`)]]);
}

// An item or a member a line, as far as they are short: what is compared by line should not stand in one.
function blockOf(value: Json, room: ChangeRoom): string {
  if (Array.isArray(value)) return value.map((item) => entryOf("", item, room)).join("\n");
  if (!isObject(value)) return flowText(value, room.width);
  return Object.entries(value)
    .map(([key, member]) => entryOf(`${flowText(key, room.width)}:`, member, room))
    .join("\n");
}

function entryOf(head: string, value: Json, { width }: ChangeRoom): string {
  const flow = flowText(value, width);
  const isFlow = isText(value) ? !value.includes("\n") : !isNested(value) || flow.length <= shortest;
  if (isFlow) return head === "" ? flow : `${head} ${flow}`;
  const { lines, left } = blockText(value, width, mostBlock);
  const more = left > 0 ? [`… ${countText(left, "more line")}`] : [];
  return [head === "" ? "•" : head, ...[...lines, ...more].map((line) => `  ${line}`)].join("\n");
}

function differenceLines(before: string, after: string, { width, lines: most }: ChangeRoom): PageLine[] {
  const { lines } = differenceOfTexts(before, after, width);
  const left = lines.length - most;
  // One line more takes no more room than saying that there is one.
  if (left <= 1) return lines.map(pageLine);
  return [
    ...lines.slice(0, most).map(pageLine),
    ["!", `… ${countText(left, "more line")}, not held by this page`],
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

function isNested(value: Json): boolean {
  return typeof value === "object" && value !== null;
}
