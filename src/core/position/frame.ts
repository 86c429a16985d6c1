import type { Document } from "yaml";
import { once } from "../../json/once.js";
import { joinRanges, type Range } from "./range.js";
import { secretsAnywhere, secretsInComments, secretsInLines } from "./secret-line.js";
import type { SecretNames } from "./secret-name.js";
import { secretsInNodes } from "./secret-node.js";

const context = 2;
const width = 100;
const mask = "••••••";

/** The code frames around places in one text, with its secrets masked. */
export class Frames {
  readonly #masks: readonly Masked[];
  readonly #lines: readonly string[];
  // Only few lines of a file are shown, but one of them may be very long and shown often.
  readonly #tidy = once((number: number) => tidied(this.#lines[number - 1] ?? ""));
  readonly #starts: number[] = [0];

  private constructor(text: string, masks: readonly Range[]) {
    this.#masks = shiftsOf(text, masks);
    const shown = maskRanges(text, masks);
    this.#lines = shown.split("\n");
    for (let at = shown.indexOf("\n"); at !== -1; at = shown.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  /** Makes a text's frames with secrets masked, if in doubt too much; undefined if it cannot be composed. */
  static of(text: string, compose: () => readonly Document[], secrets: SecretNames): Frames | undefined {
    const anywhere = secretsAnywhere(text);
    if (!secrets.areIn(text)) return new Frames(text, anywhere);
    const documents = compose();
    if (documents.length === 0) return undefined;
    const found = documents.map((document) => secretsInNodes(document, text, secrets));
    const inLines = found.every(({ isCertain }) => isCertain)
      ? secretsInComments(text, secrets)
      : secretsInLines(text, secrets);
    return new Frames(text, joinRanges([...found.flatMap(({ ranges }) => ranges), ...inLines, ...anywhere]));
  }

  /** Gives the lines around a range with a marker below its first line, `line` from 1. */
  render({ start, end }: Range, line: number): string {
    const column = this.#shownOffset(start) - (this.#starts[line - 1] ?? 0);
    const endColumn = this.#shownOffset(end) - (this.#starts[line - 1] ?? 0);
    // The empty line after the last line end is only shown if it is the place itself.
    const count = this.#lines.length - (this.#lines.at(-1) === "" ? 1 : 0);
    const last = Math.max(line, Math.min(count, line + context));
    const digits = String(last).length;
    const rows: string[] = [];
    for (let number = Math.max(1, line - context); number <= last; number++) {
      const content = this.#tidy(number);
      const from = number === line && column >= width ? column - width / 2 : 0;
      const marker = number === line ? ">" : " ";
      rows.push(
        `${marker} ${String(number).padStart(digits)} | ${cut(content, from, from + width)}`.trimEnd(),
      );
      if (number !== line) continue;
      const before = displayWidth(cut(content, from, column));
      const length = displayWidth(cut(content, column, Math.min(endColumn, from + width, content.length)));
      rows.push(`  ${" ".repeat(digits)} | ${" ".repeat(before)}${"^".repeat(Math.max(1, length))}`);
    }
    return rows.join("\n");
  }

  #shownOffset(offset: number): number {
    const at = this.#masks[countWhere(this.#masks, ({ start }) => start < offset) - 1];
    if (!at) return offset;
    return offset < at.end ? at.start + at.shift : offset + at.shift + at.growth;
  }
}

// Without its line end, and with every character as wide as it counts.
function tidied(line: string): string {
  return (line.endsWith("\r") ? line.slice(0, -1) : line).replaceAll("\t", " ");
}

/** A masked range, with the shift by the masks before it and its own change of length. */
interface Masked extends Range {
  readonly shift: number;
  readonly growth: number;
}

function shiftsOf(text: string, masks: readonly Range[]): Masked[] {
  let shift = 0;
  return masks.map((range) => {
    const masked = { ...range, shift, growth: maskOf(range, text).length - (range.end - range.start) };
    shift += masked.growth;
    return masked;
  });
}

// Binary search: the condition is true up to some index, and false after it.
function countWhere<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && holds(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Line breaks stay, so that lines keep their numbers.
function maskOf({ start, end }: Range, text: string): string {
  return mask + text.slice(start, end).replaceAll(/[^\n]/g, "");
}

function maskRanges(text: string, masks: readonly Range[]): string {
  let masked = "";
  let from = 0;
  for (const range of masks) {
    masked += text.slice(from, range.start) + maskOf(range, text);
    from = range.end;
  }
  return masked + text.slice(from);
}

// A cut must not split a surrogate pair.
function cut(text: string, from: number, to: number): string {
  return text
    .slice(from, Math.max(from, to))
    .replace(/^[\udc00-\udfff]/, "")
    .replace(/[\ud800-\udbff]$/, "");
}

const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u;

function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of new Intl.Segmenter("en").segment(text)) columns += wide.test(segment) ? 2 : 1;
  return columns;
}
