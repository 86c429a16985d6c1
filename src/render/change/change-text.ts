import { countText } from "../words/count-text.js";
import { indented } from "../words/text-lines.js";
import type { Palette } from "../words/palette.js";
import { type LayoutLine, layOutChange } from "./change-layout.js";
import { besideField, type ShownChange } from "./shown-change.js";
import type { Segment } from "../difference/text-difference.js";

/** Lays out a change for a terminal, whole or as room is; of new long texts the beginning, if `isBounded`. */
export function renderChange(
  change: ShownChange,
  palette: Palette,
  isBounded = false,
  most = Infinity,
): string[] {
  const { before, after, said, note, lines } = layOutChange(change, isBounded);
  const { path, sign } = change;
  const beside = besideField(change);
  const from = beside === undefined ? "" : palette.dim(` (${beside})`);
  const sides = [before, after].filter((value) => value !== undefined);
  const words = [
    ...(sides.length > 0 ? [sides.join(" → ")] : []),
    ...(said === undefined ? [] : [said]),
    ...(note === undefined ? [] : [`(${note})`]),
  ];
  const text = words.length === 0 ? ":" : words.join("") === "" ? "" : `: ${words.join(" ")}`;
  const paint = { "+": palette.added, "-": palette.removed, "~": palette.changed }[sign];
  const head = `${paint(sign)} ${path}${from}`;
  return [
    head + text,
    ...indented(
      lines.slice(0, most - 1).map((line, index) => renderLine(line, index, palette)),
      4,
    ),
  ];
}

/** Says how many lines are left out. */
export function moreLines(left: number): string {
  return `… ${countText(left, "more line")}`;
}

/** Renders a line below a field for a terminal, by its place there; a tab that did not change takes four columns. */
export function renderLine(line: LayoutLine, index: number, palette: Palette): string {
  switch (line.kind) {
    case "part":
      return line.text;
    case "more":
      return palette.dim(moreLines(line.left));
    case "moved":
      return `${palette.changed("~")} ${line.name} (${line.fate})`;
    case "hunk":
      return palette.dim(`${index > 0 ? "… " : ""}@@ ${line.line} @@`);
    case "note":
      return palette.changed(line.text);
    case "context":
      // Not dim: of lines that changed places, the one that matters may be among these.
      return line.segments.length === 0 ? "" : `  ${renderSegments(line.segments, palette)}`;
    case "removed":
      return palette.removed(withSymbol("-", line.segments, palette));
    case "added":
      return palette.added(withSymbol("+", line.segments, palette));
  }
}

function withSymbol(symbol: string, segments: readonly Segment[], palette: Palette): string {
  return segments.length === 0 ? symbol : `${symbol} ${renderSegments(segments, palette)}`;
}

function renderSegments(segments: readonly Segment[], palette: Palette): string {
  return segments
    .map(({ text, changed }) => {
      const shown = text.replaceAll("\t", "    ");
      return changed ? palette.word(shown) : shown;
    })
    .join("");
}
