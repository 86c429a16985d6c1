import { fields, type Field } from "../../generated/fields.js";
import { isAlias, isMap, isScalar, isSeq, visit, type Document } from "yaml";
import { resolveAlias } from "../document/alias.js";
import { isExpression, parseText } from "../expression/expression.js";
import { nearest } from "../finding/nearest.js";

/** A range of a text, in UTF-16 code units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const context = 2;
const width = 100;
const secretNames: ReadonlySet<string> = new Set(Object.values(fields).flatMap(secretsOf));
const mask = "••••••";

/** The code frames around places in one text, with its secrets masked. */
export class Frames {
  readonly #masks: readonly Masked[];
  readonly #lines: readonly string[];
  readonly #tidied = new Map<number, string>();
  readonly #starts: number[] = [0];

  private constructor(text: string, masks: readonly Range[]) {
    this.#masks = shiftsOf(text, masks);
    const shown = maskRanges(text, masks);
    this.#lines = shown.split("\n");
    for (let at = shown.indexOf("\n"); at !== -1; at = shown.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  /**
   * Makes the frames of a text. Values of secret fields are masked, also if the name is slightly misspelt, but not
   * expressions; a text that mentions such names and could not be parsed without an error has no frames.
   */
  static of(text: string, compose: () => readonly Document[]): Frames | undefined {
    if (!mentionsSecret(text)) return new Frames(text, []);
    const documents = compose();
    const isSound = documents.length > 0 && documents.every(({ errors }) => errors.length === 0);
    return isSound
      ? new Frames(
          text,
          documents.flatMap((document) => secretsIn(document, text)),
        )
      : undefined;
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

  // Only few lines of a file are shown, but one of them may be very long and shown often.
  #tidy(number: number): string {
    const known = this.#tidied.get(number) ?? tidy(this.#lines[number - 1] ?? "");
    this.#tidied.set(number, known);
    return known;
  }

  #shownOffset(offset: number): number {
    const at = this.#masks[countWhere(this.#masks, ({ start }) => start < offset) - 1];
    if (!at) return offset;
    return offset < at.end ? at.start + at.shift : offset + at.shift + at.growth;
  }
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

// Without its line end, and with every character as wide as it counts.
function tidy(line: string): string {
  return maskComment(line.endsWith("\r") ? line.slice(0, -1) : line).replaceAll("\t", " ");
}

// A misspelt name is a mistake to show, but the value below it is still a secret.
function isSecretName(name: string): boolean {
  const lower = name.toLowerCase();
  return secretNames.has(lower) || nearest(lower, secretNames) !== undefined;
}

function mentionsSecret(text: string): boolean {
  const words = new Set(text.toLowerCase().match(/[\w-]{5,25}/g));
  return [...words].some(isSecretName);
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

// A secret in a comment is still a secret.
function maskComment(line: string): string {
  const comment = /(?:^|\s)#/.exec(line);
  if (!comment || !mentionsSecret(line.slice(comment.index))) return line;
  return `${line.slice(0, comment.index)}${comment[0]} ${mask}`;
}

function secretsIn(document: Document, text: string): Range[] {
  const ranges: Range[] = [];
  const seen = new Set<unknown>();
  const parameters = new Set<string>();
  const collect = (node: unknown): void => {
    if (seen.has(node)) return;
    seen.add(node);
    if (isScalar(node) && node.range) {
      const [start, end] = node.range;
      for (const name of parametersIn(String(node.value))) parameters.add(name);
      if (start < end && !isHarmless(text.slice(start, end))) ranges.push({ start, end });
    } else if (isAlias(node)) collect(resolveAlias(node, document));
    else if (isMap(node)) for (const { value } of node.items) collect(value);
    else if (isSeq(node)) node.items.forEach(collect);
  };
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && isSecretName(String(key.value))) collect(value);
    },
  });
  for (const node of parameterNodes(document, parameters)) collect(node);
  return ranges.toSorted((a, b) => a.start - b.start);
}

function parametersIn(text: string): string[] {
  return parseText(text).flatMap((part) =>
    isExpression(part) && part.scheme === "each" ? [part.locator] : [],
  );
}

// The value of a secret may be a parameter of `for_each`.
function parameterNodes({ contents }: Document, names: ReadonlySet<string>): unknown[] {
  if (names.size === 0 || !isMap(contents)) return [];
  const keys = contents.get("for_each");
  if (!isMap(keys)) return [];
  return keys.items.flatMap(({ value: entry }) => {
    if (!isMap(entry)) return [];
    return entry.items.flatMap(({ key, value }) =>
      isScalar(key) && names.has(String(key.value)) ? [value] : [],
    );
  });
}

function isHarmless(source: string): boolean {
  const parts = parseText(source.replace(/^(["'])(.*)\1$/s, "$2"));
  return parts.every((part) => part === "" || isExpression(part));
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

/** The names of the secret fields in a part of a document. */
function secretsOf({ fields: named = {}, items, values }: Field): string[] {
  const inside = [items, values].flatMap((part) => (part ? secretsOf(part) : []));
  const own = Object.entries(named).flatMap(([name, part]) => [
    ...(part.writeOnly ? [name.toLowerCase()] : []),
    ...secretsOf(part),
  ]);
  return [...own, ...inside];
}
