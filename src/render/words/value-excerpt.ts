import { readable } from "../../core/expression/expression.js";
import type { Json } from "../../json/json.js";
import { countText } from "./count-text.js";
import { headOf } from "./cut-text.js";
import { safeLine } from "./terminal-text.js";
import { blockText, type Excerpt, flowText, scalarText } from "./value-text.js";

/** How much of a value is shown where it is alone. */
export interface ExcerptRoom {
  readonly width: number;
  /** Whether a value with members is on one line even where it is cut there. */
  readonly compact: boolean;
  /** The most lines of a text that is shown whole, but for one more. */
  readonly whole: number;
  /** The lines that are shown of a longer one; `whole` without it. */
  readonly head?: number;
  /** The columns that a line may take where it is the value itself; `width` without it. */
  readonly longest?: number;
}

const mostBlock = 20;

/** The room of a value that is to be read to its end; what is longer is nothing that a person reads. */
export function wholeRoom(width: number): ExcerptRoom {
  return { width, compact: false, whole: 5000, longest: 20_000 };
}

/** Renders a value safe and cut: on one line where it has room there, or its first lines. */
export function excerptOf(value: Json, room: ExcerptRoom): string | Excerpt {
  const { width, compact, whole, longest } = room;
  if (typeof value === "string") {
    if (value.includes("\n")) return headOfText(value, room);
    const most = longest ?? width;
    return value.length > most ? cutText(readable(value), most) : scalarText(value);
  }
  const flow = flowText(value, width);
  if (compact || !flow.endsWith("…")) return flow;
  return longest === undefined ? blockExcerpt(value, width) : blockText(value, longest, whole);
}

/** Renders the first lines of a value with members, safe and each cut at `width`. */
function blockExcerpt(value: Json, width: number): Excerpt {
  return blockText(value, width, mostBlock);
}

/** Makes a line safe and cuts it at `width`, with a count of what is left out. */
export function cutText(text: string, width: number): string {
  if (text.length <= width) return safeLine(text);
  const head = headOf(text, width);
  return `${safeLine(head)}… (${countText(text.length - head.length, "more character")})`;
}

function headOfText(text: string, { width, whole, head = whole, longest = width }: ExcerptRoom): Excerpt {
  const lines = readable(text).replace(/\n$/, "").split("\n");
  // One line more takes no more room than saying that there is one.
  const shown = lines.length <= whole + 1 ? lines : lines.slice(0, head);
  return { lines: shown.map((line) => cutText(line, longest)), left: lines.length - shown.length };
}
