import type { Change } from "../../generated/plan.js";
import { readable } from "../../core/expression/expression.js";
import type { Json } from "../../json/json.js";
import type { ChangeStyle } from "./change-style.js";
import { headOf } from "../words/cut-text.js";
import { countText } from "../words/count-text.js";
import { renderDifference } from "../difference/difference-text.js";
import { listLines, movedLines } from "./list-change-text.js";
import { outlineChange, outlineLines, outlineOf } from "../words/outline-text.js";
import type { Palette } from "../words/palette.js";
import { revisionChange } from "../words/secret-revision.js";
import { safeLine } from "../words/terminal-text.js";
import { differenceOfTexts } from "../difference/text-difference.js";
import { blockText, type Excerpt, flowText, quoted, scalarText } from "../words/value-text.js";

const headLines = 5;
const blockMost = 20;
const notedMove = "(what it refers to changes)";

/** Renders one change as lines. */
export function renderChange(change: Change, style: ChangeStyle): string[] {
  const { before, after } = change;
  const outlined = outlineChange(change);
  if (outlined) return [headLine(change, style, safeLine(outlined.path), outlined.text)];
  const path = safeLine(change.path);
  if (before === undefined || after === undefined) return oneSided(change, path, style);
  if (Array.isArray(before) && Array.isArray(after)) return listChange(change, path, before, after, style);
  const areTexts = typeof before === "string" && typeof after === "string";
  if (areTexts) return textLines(change, path, before, after, style);
  if (isNested(before) || isNested(after)) {
    return [
      headLine(change, style, path),
      ...indent(excerptLines("-", blockText(before, style.width, blockMost), style.palette)),
      ...indent(excerptLines("+", blockText(after, style.width, blockMost), style.palette)),
    ];
  }
  return [headLine(change, style, path, `${scalarText(before)} → ${scalarText(after)}`)];
}

function listChange(
  change: Change,
  path: string,
  before: Json[],
  after: Json[],
  style: ChangeStyle,
): string[] {
  const lines = listLines(change, before, after, style);
  const said = change.order ? "(same items, another order)" : lines.length === 0 ? notedMove : undefined;
  return [headLine(change, style, path, said), ...indent(lines)];
}

/** Indents lines by four columns, empty ones excepted. */
export function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : `    ${line}`));
}

function headLine({ before, after }: Change, { palette }: ChangeStyle, path: string, text?: string): string {
  const symbol =
    before === undefined
      ? palette.added("+")
      : after === undefined
        ? palette.removed("-")
        : palette.changed("~");
  return text === "" ? `${symbol} ${path}` : `${symbol} ${path}:${text === undefined ? "" : ` ${text}`}`;
}

function oneSided(change: Change, path: string, style: ChangeStyle): string[] {
  const { palette, width, compact } = style;
  const value = change.after ?? change.before ?? null;
  const head = (text?: string): string => headLine(change, style, path, text);
  const outline = outlineOf(change);
  if (outline) {
    const [first, ...more] = outlineLines(outline);
    return [head(first), ...indent(more)];
  }
  const isText = typeof value === "string";
  if (isText && !value.includes("\n")) {
    return [head(value.length > width ? cut(readable(value), width) : scalarText(value))];
  }
  if (isText && compact) return [head(firstLine(value, width))];
  if (!isText && (compact || fits(value, width))) return [head(flowText(value, width))];
  const excerpt = isText ? headOfText(value, width) : blockText(value, width, blockMost);
  const symbol = change.after === undefined ? "-" : "+";
  return [head(), ...indent(excerptLines(symbol, excerpt, palette))];
}

function firstLine(text: string, width: number): string {
  const lines = text.trimEnd().split("\n");
  const first = lines.find((line) => line.trim() !== "") ?? "";
  return `${cut(readable(first.trim()), width)} (${countText(lines.length, "line")})`;
}

function excerptLines(symbol: "-" | "+", { lines, left }: Excerpt, palette: Palette): string[] {
  const paint = symbol === "-" ? palette.removed : palette.added;
  return [
    ...lines.map((line) => paint(line === "" ? symbol : `${symbol} ${line}`)),
    ...(left > 0 ? [palette.dim(`… ${countText(left, "more line")}`)] : []),
  ];
}

function headOfText(text: string, width: number): Excerpt {
  const lines = readable(text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const left = lines.length - headLines;
  // One line more takes no more room than saying that there is one.
  const shown = left <= 1 ? lines : lines.slice(0, headLines);
  return { lines: shown.map((line) => cut(line, width)), left: lines.length - shown.length };
}

function cut(text: string, width: number): string {
  if (text.length <= width) return safeLine(text);
  const head = headOf(text, width);
  return `${safeLine(head)}… (${countText(text.length - head.length, "more character")})`;
}

function textLines(
  change: Change,
  path: string,
  before: string,
  after: string,
  style: ChangeStyle,
): string[] {
  if (before === after) return sameText(change, path, after, style);
  const revision = revisionChange(before, after);
  if (revision !== undefined) return [headLine(change, style, path, `secret: ${safeLine(revision)}`)];
  const [left, right] = shownTexts(before, after);
  const isShort = left.length + right.length <= style.width && !/\n/.test(left + right);
  const onlySpaces = left.replace(/\s/gu, "") === right.replace(/\s/gu, "") && left !== "" && right !== "";
  if (!isShort || onlySpaces) {
    const lines = renderDifference(differenceOfTexts(left, right, style.width), style.palette);
    return [headLine(change, style, path), ...indent(lines)];
  }
  const texts = [scalarText(before), scalarText(after)];
  const [from, to] = texts[0] === texts[1] ? [quoted(before), quoted(after)] : texts;
  return [headLine(change, style, path, `${from} → ${to}`)];
}

/** Gives two texts as a reader sees them; where a literal and an expression would read alike, as they are written. */
export function shownTexts(before: string, after: string): [string, string] {
  const [left, right] = [readable(before), readable(after)];
  return left === right ? [before, after] : [left, right];
}

function sameText(change: Change, path: string, text: string, style: ChangeStyle): string[] {
  const { references = [] } = change;
  const isShort = text.length <= style.width && !text.includes("\n");
  const [only, second] = references;
  if (only === undefined)
    return [headLine(change, style, path, isShort ? `${scalarText(text)} ${notedMove}` : notedMove)];
  if (second === undefined) {
    const shown = isShort ? safeLine(readable(text)) : safeLine(`\${${only}}`);
    return [headLine(change, style, path, `${shown} (${safeLine(style.fateOf(only))})`)];
  }
  return [headLine(change, style, path), ...indent(movedLines(references, style))];
}

function isNested(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

function fits(value: Json, width: number): boolean {
  return !flowText(value, width).endsWith("…");
}
