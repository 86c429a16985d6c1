import type { Change } from "../../generated/plan.js";
import type { Json } from "../../json/json.js";
import { readable } from "../../core/expression/expression.js";
import type { ChangeStyle } from "../change/change-style.js";
import { shownTexts } from "../change/change-text.js";
import { countText } from "../words/count-text.js";
import { headOf } from "../words/cut-text.js";
import { listLines } from "../change/list-change-text.js";
import { withoutCommand } from "./markdown-text.js";
import { outlineChange, outlineLines, outlineOf } from "../words/outline-text.js";
import { buildPalette } from "../words/palette.js";
import { revisionChange } from "../words/secret-revision.js";
import { safeLine } from "../words/terminal-text.js";
import { differenceOfTexts, type DifferenceLine } from "../difference/text-difference.js";
import { blockText, type Excerpt, flowText, quoted, scalarText } from "../words/value-text.js";

const width = 120;
const blockMost = 20;
const headLines = 8;
const palette = buildPalette(false);

/** What the lines of a change depend on beside the change. */
export type MarkdownChangeStyle = Pick<ChangeStyle, "compact" | "fateOf">;

/**
 * Renders one change as lines of a `diff` block. Every line is `+ …`, `- …`, two spaces and context, or
 * `@@ … @@`, whatever the texts begin with.
 */
export function renderChangeDiff(change: Change, style: MarkdownChangeStyle): string[] {
  return changeLines(change, style).map(withoutCommand);
}

function changeLines(change: Change, style: MarkdownChangeStyle): string[] {
  const { before, after } = change;
  const outlined = outlineChange(change);
  if (outlined) return [outlineLine(change, safeLine(outlined.path), outlined.text)];
  const path = safeLine(change.path);
  if (before === undefined || after === undefined) return oneSided(change, path, style);
  if (Array.isArray(before) && Array.isArray(after)) return listDiff(change, path, before, after, style);
  if (typeof before === "string" && typeof after === "string") {
    return textDiff(change, path, before, after, style);
  }
  if (typeof before !== "object" && typeof after !== "object") {
    return [`- ${path}: ${scalarText(before)}`, `+ ${path}: ${scalarText(after)}`];
  }
  return [
    head(path),
    ...excerpt("-", blockText(before, width, blockMost)),
    ...excerpt("+", blockText(after, width, blockMost)),
  ];
}

function head(text: string): string {
  return `@@ ${text} @@`;
}

function signed(sign: "+" | "-" | " ", text: string): string {
  return `${sign} ${text}`.trimEnd();
}

function outlineLine({ before, after }: Change, path: string, text: string): string {
  if (before !== undefined && after !== undefined) return head(`${path}: ${text}`);
  return `${after === undefined ? "-" : "+"} ${path}${text === "" ? "" : `: ${text}`}`;
}

function excerpt(sign: "+" | "-", { lines, left }: Excerpt): string[] {
  return [
    ...lines.map((line) => signed(sign, line)),
    ...(left > 0 ? [head(`${countText(left, "more line")}`)] : []),
  ];
}

function oneSided(change: Change, path: string, { compact }: MarkdownChangeStyle): string[] {
  const { before, after } = change;
  const value = after ?? before ?? null;
  const sign = after === undefined ? "-" : "+";
  const outline = outlineOf(change);
  if (outline) {
    const [first, ...more] = outlineLines(outline);
    return [`${sign} ${path}: ${first}`, ...more.map((line) => signed(sign, `  ${line}`))];
  }
  if (typeof value !== "string") {
    const flow = flowText(value, width);
    if (compact || !flow.endsWith("…")) return [`${sign} ${path}: ${flow}`];
    return [head(path), ...excerpt(sign, blockText(value, width, blockMost))];
  }
  if (!value.includes("\n")) {
    const text = value.length > width ? cut(readable(value)) : scalarText(value);
    return [`${sign} ${path}: ${text}`];
  }
  const lines = readable(value).replace(/\n$/, "").split("\n");
  const shown = lines.length <= headLines + 1 ? lines : lines.slice(0, compact ? 3 : headLines);
  return [
    head(path),
    ...excerpt(sign, {
      lines: shown.map((line) => cut(line)),
      left: lines.length - shown.length,
    }),
  ];
}

function cut(text: string): string {
  if (text.length <= width) return safeLine(text);
  const start = headOf(text, width);
  return `${safeLine(start)}… (${countText(text.length - start.length, "more character")})`;
}

function listDiff(
  change: Change,
  path: string,
  before: Json[],
  after: Json[],
  style: MarkdownChangeStyle,
): string[] {
  if (change.order) {
    return [
      head(`${path}: the same items in another order`),
      `- ${flowText(before, width)}`,
      `+ ${flowText(after, width)}`,
      ...movedHeads(change, path, style),
    ];
  }
  const { references: _references, ...rest } = change;
  const lines = listLines(rest, before, after, { ...style, palette, width }).map((line) =>
    /^[-+] /.test(line) ? line : head(line),
  );
  const moved = movedHeads(change, path, style);
  if (lines.length > 0) return [head(path), ...lines, ...moved];
  return moved.length > 0 ? moved : [head(`${path}: what it refers to changes`)];
}

function movedHeads({ references = [] }: Change, path: string, { fateOf }: MarkdownChangeStyle): string[] {
  return references.map((name) => head(safeLine(`${path}: \${${name}} ${fateOf(name)}`)));
}

function textDiff(
  change: Change,
  path: string,
  before: string,
  after: string,
  style: MarkdownChangeStyle,
): string[] {
  if (before === after) {
    const moved = movedHeads(change, path, style);
    return moved.length > 0 ? moved : [head(`${path}: what it refers to changes`)];
  }
  const revision = revisionChange(before, after);
  if (revision !== undefined) return [head(`${path}: secret, ${safeLine(revision)}`)];
  const [left, right] = shownTexts(before, after);
  const isShort = left.length + right.length <= 2 * width && !/\n/.test(left + right);
  const onlySpaces = left.replace(/\s/gu, "") === right.replace(/\s/gu, "") && left !== "" && right !== "";
  if (isShort && !onlySpaces) {
    const texts = [scalarText(before), scalarText(after)];
    const [from, to] = texts[0] === texts[1] ? [quoted(before), quoted(after)] : texts;
    return [`- ${path}: ${from}`, `+ ${path}: ${to}`];
  }
  const { lines } = differenceOfTexts(left, right, width);
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
