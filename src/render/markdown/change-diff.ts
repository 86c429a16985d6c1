import type { Json } from "../../json/json.js";
import { besideField, type MovedReference, type Room, type ShownChange } from "../change/shown-change.js";
import type { DifferenceLine } from "../difference/text-difference.js";
import { countText } from "../words/count-text.js";
import { blockExcerpt, excerptOf, wholeRoom } from "../words/value-excerpt.js";
import { type Excerpt, flowText, pairTexts } from "../words/value-text.js";
import { withoutCommand } from "./markdown-text.js";

const width = 120;
const wholeLines = 8;
const compactLines = 3;
const mostItems = 50;

/** How much room a `diff` block has for a change. */
export const changeRoom: Room = { width, short: 2 * width };

/** How much is shown of a value that is new or gone: three lines of it, eight, or all. */
export type ValueDetail = "few" | "head" | "whole";

/**
 * Lays out one change as lines of a `diff` block. Every line is `+ …`,
 * `- …`, two spaces and context, or `@@ … @@`, whatever the texts begin with.
 */
export function renderChangeDiff(change: ShownChange, detail: ValueDetail): string[] {
  return changeLines(change, detail).map(withoutCommand);
}

function changeLines(change: ShownChange, detail: ValueDetail): string[] {
  const { path: field, sign, content } = change;
  const beside = besideField(change);
  const path = beside === undefined ? field : `${field} (${beside})`;
  switch (content.sort) {
    case "value":
      return valueLines(path, sign === "-" ? "-" : "+", content.value, detail);
    case "outline": {
      const [first, ...more] = content.lines;
      return [`${sign} ${path}: ${first}`, ...more.map((line) => `${sign}   ${line}`.trimEnd())];
    }
    case "part": {
      const text = content.words === "" ? path : `${path}: ${content.words}`;
      return sign === "~" ? [head(`${path}: ${content.words}`)] : [`${sign} ${text}`];
    }
    case "pair":
      return pairLines(field, path, content.before, content.after);
    case "nested":
      return nestedLines(path, content.before, content.after);
    case "difference":
      return differenceLines(path, content.difference.lines);
    case "items": {
      const { removed, added, moved } = content;
      const items = [...itemLines("-", removed), ...itemLines("+", added)];
      return items.length > 0
        ? [head(path), ...items, ...movedHeads(path, moved)]
        : movedOrNoted(path, moved);
    }
    case "order": {
      const { before, after, moved } = content;
      return [
        head(`${path}: the same items in another order`),
        `- ${flowText([...before], width)}`,
        `+ ${flowText([...after], width)}`,
        ...movedHeads(path, moved),
      ];
    }
    case "moved":
      return movedOrNoted(path, content.moved);
    case "secret":
      return [head(`${path}: secret, ${content.revision}`)];
  }
}

function head(text: string): string {
  return `@@ ${text} @@`;
}

function signed(sign: "+" | "-" | " ", text: string): string {
  return `${sign} ${text}`.trimEnd();
}

function valueLines(path: string, sign: "+" | "-", value: Json, detail: ValueDetail): string[] {
  const compact = detail === "few";
  const first = compact ? compactLines : wholeLines;
  const room = detail === "whole" ? wholeRoom(width) : { width, compact, whole: wholeLines, head: first };
  const shown = excerptOf(value, room);
  return typeof shown === "string" ? [`${sign} ${path}: ${shown}`] : [head(path), ...excerpt(sign, shown)];
}

function pairLines(field: string, path: string, before: Json, after: Json): string[] {
  if (before === null || after === null) return nestedLines(path, before, after);
  const [from, to] = pairTexts(before, after);
  return [`- ${field}: ${from}`, `+ ${path}: ${to}`];
}

function nestedLines(path: string, before: Json, after: Json): string[] {
  const [from, to] = [blockExcerpt(before, width), blockExcerpt(after, width)];
  return [head(path), ...excerpt("-", from), ...excerpt("+", to)];
}

function excerpt(sign: "+" | "-", { lines, left }: Excerpt): string[] {
  return [
    ...lines.map((line) => signed(sign, line)),
    ...(left > 0 ? [head(`${countText(left, "more line")}`)] : []),
  ];
}

function itemLines(sign: "+" | "-", items: readonly Json[]): string[] {
  const left = items.length - mostItems;
  return [
    ...items.slice(0, mostItems).map((item) => `${sign} ${flowText(item, width)}`),
    ...(left > 0 ? [head(`… ${left} more ${sign === "-" ? "removed" : "added"}`)] : []),
  ];
}

function movedOrNoted(path: string, moved: readonly MovedReference[]): string[] {
  return moved.length > 0 ? movedHeads(path, moved) : [head(`${path}: what it refers to changes`)];
}

function movedHeads(path: string, moved: readonly MovedReference[]): string[] {
  return moved.map(({ name, fate }) => head(`${path}: ${name} ${fate}`));
}

function differenceLines(path: string, lines: readonly DifferenceLine[]): string[] {
  const [first, ...rest] = lines;
  if (first?.kind !== "hunk") return [head(path), ...lines.map(differenceLine)];
  return [head(`${path}, line ${first.line}`), ...rest.map(differenceLine)];
}

function differenceLine(line: DifferenceLine): string {
  if (line.kind === "hunk") return head(`line ${line.line}`);
  if (line.kind === "note") return head(line.text.replace(/^[\\…] /, ""));
  const text = line.segments.map((segment) => segment.text.replaceAll("\t", "    ")).join("");
  return signed(line.kind === "context" ? " " : line.kind === "added" ? "+" : "-", text);
}
