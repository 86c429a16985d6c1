import type { Json } from "../../json/json.js";
import { readable } from "../../core/expression/expression.js";
import {
  type DifferenceLine,
  differenceOfTexts,
  type TextDifference,
} from "../difference/text-difference.js";
import { countText } from "../words/count-text.js";
import { cutText, excerptOf, type ExcerptRoom } from "../words/value-excerpt.js";
import { blockText, type Excerpt, flowText, isNested, pairTexts } from "../words/value-text.js";
import type { MovedReference, ShownChange } from "./shown-change.js";

/** How much of the values of a change a form has room for. */
export interface LayoutRoom {
  /** About how many columns a line may take. */
  readonly width: number;
  /** How much is shown of a value that is new or gone. */
  readonly values: ExcerptRoom;
  /** Whether only the first line of such a text is shown, beside the field. */
  readonly isOneLine?: boolean;
}

/** A line below a field: of a difference, how much is left out, a part of an outline, or a reference that moves. */
export type LayoutLine =
  | DifferenceLine
  | { readonly kind: "more"; readonly text: string }
  | { readonly kind: "part"; readonly text: string }
  | ({ readonly kind: "moved" } & MovedReference);

/** One change as every form shows it, but for its signs and colours; texts are safe to show. */
export interface ChangeLayout {
  /** Values that are short enough to be beside the field. */
  readonly before?: string;
  readonly after?: string;
  /** What else is beside the field. */
  readonly said?: string;
  /** What is said of the values, such as that their order changes. */
  readonly note?: string;
  /** What is below the field. */
  readonly lines: readonly LayoutLine[];
}

const mostItems = 50;
const mostBlock = 200;
const notedMove = "what it refers to changes";

/** Lays out one change for any form. */
export function layOutChange({ sign, content }: ShownChange, room: LayoutRoom): ChangeLayout {
  const side = sign === "-" ? "removed" : "added";
  switch (content.sort) {
    case "value":
      return valueLayout(content.value, side, room);
    case "outline": {
      const [said, ...more] = content.lines;
      return { said, lines: more.map((text) => ({ kind: "part", text })) };
    }
    case "part":
      return { said: content.words, lines: [] };
    case "pair": {
      const [before, after] = pairTexts(content.before, content.after);
      return { before, after, lines: [] };
    }
    case "nested":
      return { lines: blockDifference(content.before, content.after, room).lines };
    case "difference":
      return { lines: content.difference.lines };
    case "items": {
      const { removed, added, moved } = content;
      const lines = [
        ...itemLines("removed", removed, room),
        ...itemLines("added", added, room),
        ...moves(moved),
      ];
      return { ...(lines.length === 0 && { note: notedMove }), lines };
    }
    case "order": {
      const { before, after, isSameText, moved } = content;
      const lines = isSameText ? [] : orderLines(before, after, room);
      return { note: "same items, another order", lines: [...lines, ...moves(moved)] };
    }
    case "moved":
      return movedLayout(content.text, content.moved);
    case "secret":
      return { said: `secret: ${content.revision}`, lines: [] };
  }
}

function valueLayout(
  value: Json,
  side: "removed" | "added",
  { width, values, isOneLine = false }: LayoutRoom,
): ChangeLayout {
  if (isOneLine && typeof value === "string" && value.includes("\n"))
    return { said: firstLine(value, width), lines: [] };
  const shown = excerptOf(value, values);
  if (typeof shown === "string") return { [side === "removed" ? "before" : "after"]: shown, lines: [] };
  return { lines: excerptLines(side, shown) };
}

function firstLine(text: string, width: number): string {
  const lines = text.trimEnd().split("\n");
  const first = lines.find((line) => line.trim() !== "") ?? "";
  return `${cutText(readable(first.trim()), width)} (${countText(lines.length, "line")})`;
}

function excerptLines(kind: "removed" | "added", { lines, left }: Excerpt): LayoutLine[] {
  return [
    ...lines.map((text) => lineOf(kind, text)),
    ...(left > 0 ? [moreOf(countText(left, "more line"))] : []),
  ];
}

function itemLines(kind: "removed" | "added", items: readonly Json[], { width }: LayoutRoom): LayoutLine[] {
  const left = items.length - mostItems;
  return [
    ...items.slice(0, mostItems).map((item) => lineOf(kind, flowText(item, width))),
    ...(left > 0 ? [moreOf(`${left} more ${kind}`)] : []),
  ];
}

function lineOf(kind: "removed" | "added", text: string): DifferenceLine {
  return { kind, segments: text === "" ? [] : [{ text, changed: false }] };
}

function moreOf(text: string): LayoutLine {
  return { kind: "more", text: `… ${text}` };
}

// A member a line, so that only those that differ are shown.
function blockDifference(before: Json, after: Json, { width }: LayoutRoom): TextDifference {
  const isOpen = isNested(before) && isNested(after);
  const [from, to] = [before, after].map((value) => {
    const { lines, left } = blockText(value, width, mostBlock, isOpen);
    return [...lines, ...(left > 0 ? [`… ${countText(left, "more line")}`] : [])].join("\n");
  });
  return differenceOfTexts(from ?? "", to ?? "", width);
}

function orderLines(
  before: readonly Json[],
  after: readonly Json[],
  { width }: LayoutRoom,
): readonly DifferenceLine[] {
  const [from, to] = [before, after].map((items) => items.map((item) => flowText(item, width)).join("\n"));
  return differenceOfTexts(from ?? "", to ?? "", width).lines;
}

function movedLayout(text: string | undefined, moved: readonly MovedReference[]): ChangeLayout {
  const [only, ...more] = moved;
  if (only === undefined) return { ...(text !== undefined && { said: text }), note: notedMove, lines: [] };
  if (more.length === 0) return { said: text ?? only.name, note: only.fate, lines: [] };
  return { lines: moves(moved) };
}

function moves(moved: readonly MovedReference[]): LayoutLine[] {
  return moved.map((each) => ({ kind: "moved", ...each }));
}
