import type { Json, JsonObject } from "../../json/json.js";
import { oncePer } from "../../json/once.js";
import { type DifferenceLine, differenceOfTexts } from "../difference/text-difference.js";
import { safeLine } from "../words/terminal-text.js";
import { blockText, flowText, isLongFlow, isNested, linesOfText, scalarText } from "../words/value-text.js";
import { type MovedReference, type ShownChange, unknownFate } from "./shown-change.js";

/** A line below a field: of a difference, how much is left out, a part of an outline, or a reference that moves. */
export type LayoutLine =
  | DifferenceLine
  | { readonly kind: "more"; readonly left: number }
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

// A value with members is on one line if it has room beside its field.
const longestFlow = 100;
// Of a text of a new object, a person who reads all of it opens the document.
const mostNewLines = 200;
const mostNewText = 20_000;

/** Lays out one change for any form, whole; of a new object's long texts the beginning, if it is `isBounded`. */
export function layOutChange({ sign, content }: ShownChange, isBounded = false): ChangeLayout {
  switch (content.sort) {
    case "value":
      return valueLayout(content.value, sign === "-" ? "removed" : "added", isBounded);
    case "outline": {
      const [said, ...more] = content.lines;
      return { said, lines: more.map((text) => ({ kind: "part", text })) };
    }
    case "part":
      return { said: content.words, lines: [] };
    case "pair": {
      return { before: scalarText(content.before), after: scalarText(content.after), lines: [] };
    }
    case "nested": {
      const lines = blockDifference(content.before, content.after);
      // What is empty on both sides may look the same.
      const [before, after] = [content.before, content.after].map((value) => safeLine(JSON.stringify(value)));
      return lines.length > 0 ? { lines } : { ...(before && { before }), ...(after && { after }), lines };
    }
    case "difference":
      return { lines: content.difference.lines };
    case "items": {
      const { removed, added, moved } = content;
      const lines = [...itemLines("removed", removed), ...itemLines("added", added), ...moves(moved)];
      return { ...(lines.length === 0 && { note: unknownFate }), lines };
    }
    case "order": {
      const { before, after, isSameText, moved } = content;
      const lines = isSameText ? [] : orderLines(before, after);
      return { note: "same items, another order", lines: [...lines, ...moves(moved)] };
    }
    case "moved":
      return movedLayout(content.text, content.moved);
    case "secret":
      return { said: `secret: ${content.revision}`, lines: [] };
  }
}

// Many notes may quote one value.
const wholeLayouts = {
  removed: oncePer((value: JsonObject | Json[]) => layOutValue(value, "removed", false)),
  added: oncePer((value: JsonObject | Json[]) => layOutValue(value, "added", false)),
};

function valueLayout(value: Json, side: "removed" | "added", isBounded: boolean): ChangeLayout {
  return isNested(value) && !isBounded ? wholeLayouts[side](value) : layOutValue(value, side, isBounded);
}

function layOutValue(value: Json, side: "removed" | "added", isBounded: boolean): ChangeLayout {
  const lines = valueLines(value);
  if (lines === undefined) {
    const text = isNested(value) ? flowText(value) : scalarText(value);
    return { [side === "removed" ? "before" : "after"]: text, lines: [] };
  }
  const most = isBounded ? boundOf(lines) : lines.length;
  const shown = lines.slice(0, most).map((text) => lineOf(side, text));
  const left = lines.length - most;
  return {
    lines: [...shown, ...(left > 0 ? [{ kind: "more", left } as const] : [])],
  };
}

// A value that has lines of its own; undefined where it is beside the field.
function valueLines(value: Json): readonly string[] | undefined {
  if (typeof value === "string") return value.includes("\n") ? linesOfText(value).map(safeLine) : undefined;
  return isNested(value) && isLongFlow(value, longestFlow) ? blockText(value) : undefined;
}

function boundOf(lines: readonly string[]): number {
  let [count, room] = [0, mostNewText];
  while (count < Math.min(lines.length, mostNewLines) && room > 0) room -= lines[count++]?.length ?? 0;
  // A line more takes no more room than saying that there is one.
  return lines.length - count === 1 && room > 0 ? lines.length : count;
}

function itemLines(kind: "removed" | "added", items: readonly Json[]): LayoutLine[] {
  return items.flatMap((item) => {
    const isLong = isNested(item) && isLongFlow(item, longestFlow);
    return (isLong ? blockText([item]) : [flowText(item)]).map((text) => lineOf(kind, text));
  });
}

function lineOf(kind: "removed" | "added", text: string): DifferenceLine {
  return { kind, segments: text === "" ? [] : [{ text, changed: false }] };
}

// A member a line, so that only those that differ are shown.
function blockDifference(before: Json, after: Json): readonly DifferenceLine[] {
  const isOpen = isNested(before) && isNested(after);
  const [from = "", to = ""] = [before, after].map((value) => blockText(value, isOpen).join("\n"));
  return differenceOfTexts(from, to).lines;
}

function orderLines(before: readonly Json[], after: readonly Json[]): readonly DifferenceLine[] {
  const [from = "", to = ""] = [before, after].map((items) => items.map((item) => flowText(item)).join("\n"));
  return differenceOfTexts(from, to).lines;
}

function movedLayout(text: string | undefined, moved: readonly MovedReference[]): ChangeLayout {
  const [only, ...more] = moved;
  if (only === undefined) return { ...(text !== undefined && { said: text }), note: unknownFate, lines: [] };
  if (more.length === 0) return { said: text ?? only.name, note: only.fate, lines: [] };
  return { lines: moves(moved) };
}

function moves(moved: readonly MovedReference[]): LayoutLine[] {
  return moved.map((each) => ({ kind: "moved", ...each }));
}
