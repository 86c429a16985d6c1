import { readable } from "../../core/expression/expression.js";
import type { Json } from "../../json/json.js";
import { renderDifference } from "../difference/difference-text.js";
import { countText } from "../words/count-text.js";
import { indented } from "../words/indented.js";
import type { Palette } from "../words/palette.js";
import { blockExcerpt, cutText, excerptOf, wholeRoom } from "../words/value-excerpt.js";
import { type Excerpt, flowText, pairTexts } from "../words/value-text.js";
import { besideField, type MovedReference, type ShownChange } from "./shown-change.js";

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
const mostItems = 50;
const notedMove = "(what it refers to changes)";

/** Lays out one change as lines for a terminal. */
export function renderChange(change: ShownChange, style: ChangeStyle): string[] {
  const { said, lines = [] } = layOut(change, style);
  const { path, sign } = change;
  const beside = besideField(change);
  const from = beside === undefined ? "" : style.palette.dim(` (${beside})`);
  const head = `${paintOf(sign, style.palette)(sign)} ${path}${from}`;
  const text = said === undefined ? ":" : said === "" ? "" : `: ${said}`;
  return [head + text, ...indented(lines, 4)];
}

/** What is beside the field, and the lines below it. */
interface Layout {
  readonly said?: string | undefined;
  readonly lines?: readonly string[];
}

function layOut({ sign, content }: ShownChange, style: ChangeStyle): Layout {
  const { palette, width } = style;
  switch (content.sort) {
    case "value":
      return valueLines(content.value, sign, style);
    case "outline": {
      const [said, ...lines] = content.lines;
      return { said, lines };
    }
    case "part":
      return { said: content.words };
    case "pair":
      return { said: pairTexts(content.before, content.after).join(" → ") };
    case "nested":
      return {
        lines: [
          ...excerptLines("-", blockExcerpt(content.before, width), palette),
          ...excerptLines("+", blockExcerpt(content.after, width), palette),
        ],
      };
    case "difference":
      return { lines: renderDifference(content.difference, palette) };
    case "items": {
      const { removed, added, moved } = content;
      const items = [...itemLines("-", removed, style), ...itemLines("+", added, style)];
      const lines = [...items, ...movedLines(moved, palette)];
      return { said: lines.length === 0 ? notedMove : undefined, lines };
    }
    case "order": {
      const now = content.isSameText ? [] : [`now ${flowText([...content.after], width)}`];
      return { said: "(same items, another order)", lines: [...now, ...movedLines(content.moved, palette)] };
    }
    case "moved":
      return movedText(content.text, content.moved, palette);
    case "secret":
      return { said: `secret: ${content.revision}` };
  }
}

function valueLines(
  value: Json,
  sign: ShownChange["sign"],
  { palette, width, compact, whole = false }: ChangeStyle,
): Layout {
  if (whole) return excerptLayout(sign, excerptOf(value, wholeRoom(width)), palette);
  if (compact && typeof value === "string" && value.includes("\n")) return { said: firstLine(value, width) };
  return excerptLayout(sign, excerptOf(value, { width, compact, whole: headLines }), palette);
}

function excerptLayout(sign: ShownChange["sign"], excerpt: string | Excerpt, palette: Palette): Layout {
  if (typeof excerpt === "string") return { said: excerpt };
  return { lines: excerptLines(sign === "-" ? "-" : "+", excerpt, palette) };
}

function firstLine(text: string, width: number): string {
  const lines = text.trimEnd().split("\n");
  const first = lines.find((line) => line.trim() !== "") ?? "";
  return `${cutText(readable(first.trim()), width)} (${countText(lines.length, "line")})`;
}

function excerptLines(sign: "-" | "+", { lines, left }: Excerpt, palette: Palette): string[] {
  const paint = paintOf(sign, palette);
  return [
    ...lines.map((line) => paint(line === "" ? sign : `${sign} ${line}`)),
    ...(left > 0 ? [palette.dim(`… ${countText(left, "more line")}`)] : []),
  ];
}

function itemLines(sign: "-" | "+", items: readonly Json[], { palette, width }: ChangeStyle): string[] {
  const left = items.length - mostItems;
  const paint = paintOf(sign, palette);
  return [
    ...items.slice(0, mostItems).map((item) => paint(`${sign} ${flowText(item, width)}`)),
    ...(left > 0 ? [palette.dim(`… ${left} more ${sign === "-" ? "removed" : "added"}`)] : []),
  ];
}

function movedText(text: string | undefined, moved: readonly MovedReference[], palette: Palette): Layout {
  const [only, ...more] = moved;
  if (only === undefined) return { said: text === undefined ? notedMove : `${text} ${notedMove}` };
  if (more.length === 0) return { said: `${text ?? only.name} (${only.fate})` };
  return { lines: movedLines(moved, palette) };
}

function movedLines(moved: readonly MovedReference[], palette: Palette): string[] {
  return moved.map(({ name, fate }) => `${palette.changed("~")} ${name} (${fate})`);
}

function paintOf(sign: ShownChange["sign"], { added, removed, changed }: Palette): Palette["added"] {
  return { "+": added, "-": removed, "~": changed }[sign];
}
