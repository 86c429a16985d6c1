import { renderLine } from "../difference/difference-text.js";
import { indented } from "../words/indented.js";
import type { Palette } from "../words/palette.js";
import { wholeRoom } from "../words/value-excerpt.js";
import { type LayoutLine, layOutChange } from "./change-layout.js";
import { besideField, type ShownChange } from "./shown-change.js";

/** How changes are laid out for a terminal. */
export interface ChangeStyle {
  readonly palette: Palette;
  /** About how many columns a value may take. */
  readonly width: number;
  /** Whether each new field takes one line, as in a create. */
  readonly compact: boolean;
  /** Whether a value that is new or gone is shown to its end. */
  readonly whole?: boolean;
}

const headLines = 5;

/** Lays out one change as lines for a terminal. */
export function renderChange(
  change: ShownChange,
  { palette, width, compact, whole = false }: ChangeStyle,
): string[] {
  const values = whole ? wholeRoom(width) : { width, compact, whole: headLines };
  const isOneLine = compact && !whole;
  const { before, after, said, note, lines } = layOutChange(change, { width, values, isOneLine });
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
      lines.map((line, index) => lineText(line, index, palette)),
      4,
    ),
  ];
}

function lineText(line: LayoutLine, index: number, palette: Palette): string {
  if (line.kind === "part") return line.text;
  if (line.kind === "more") return palette.dim(line.text);
  if (line.kind === "moved") return `${palette.changed("~")} ${line.name} (${line.fate})`;
  return renderLine(line, index, palette);
}
