import { type Document, parseDocuments } from "../core/document/document.js";
import { WrittenText } from "../core/position/written-text.js";
import { type Json, type JsonObject, equal, isObject } from "../json/json.js";
import type { TextPlace } from "./find-names.js";

/** A text that takes the place of a range. */
export interface TextChange extends TextPlace {
  readonly newText: string;
}

/** A change that an editor offers. */
export interface OfferedChange {
  readonly title: string;
  readonly change: TextChange;
}

/** A mark that a change writes into `lifecycle`. */
type Mark = "moved_from" | "adopt";

/** One document of a file. */
interface DocumentPlace {
  readonly file: string;
  readonly text: string;
  /** The index of the document in the file, from 0. */
  readonly document: number;
}

/** Gives the document that a name is in; undefined if the text cannot be read that far. */
export function documentOf({ file, text, range }: TextPlace): DocumentPlace | undefined {
  const head = new WrittenText(text).headAt(range.start);
  return head && { file, text, document: head.document };
}

/** Gives the `lifecycle` of a document, undefined if it has none; "unknown" if the document has errors, or it is no mapping. */
export function lifecycleOf({
  file,
  text,
  document,
}: DocumentPlace): JsonObject | null | undefined | "unknown" {
  const found = parseDocuments(file, text).value.find(({ index }) => index === document);
  if (!found || !isObject(found.value)) return "unknown";
  const { lifecycle } = found.value;
  return lifecycle === undefined || lifecycle === null || isObject(lifecycle) ? lifecycle : "unknown";
}

/** Sets a mark of a document, or removes it; undefined if it can be written in no way that leaves all else as it was. */
export function marked(place: DocumentPlace, mark: Mark, value: Json | undefined): TextChange | undefined {
  const { file, text } = place;
  const before = parseDocuments(file, text);
  const writer = new MarkWriter(place, mark);
  for (const { start, end, newText } of value === undefined ? writer.removals() : writer.writings(value)) {
    const after = parseDocuments(file, text.slice(0, start) + newText + text.slice(end));
    const isRight =
      after.findings.length === before.findings.length &&
      after.value.length === before.value.length &&
      before.value.some(({ index }) => index === place.document) &&
      before.value.every((each, nth) => {
        const changed = after.value[nth];
        if (changed?.index !== each.index) return false;
        if (each.index !== place.document) return equal(each.value, changed.value);
        const [was, is] = [split(each, mark), split(changed, mark)];
        return equal(was.rest, is.rest) && equal(is.value, value);
      });
    if (isRight) return { file, text, range: { start, end }, newText };
  }
  return undefined;
}

// A lifecycle without a mark says the same as none.
function split({ value }: Document, mark: Mark): { readonly rest: Json; readonly value: Json | undefined } {
  if (!isObject(value)) return { rest: value, value: undefined };
  const { lifecycle, ...others } = value;
  if (!isObject(lifecycle)) {
    return {
      rest: lifecycle === undefined || lifecycle === null ? { ...others, lifecycle: {} } : value,
      value: undefined,
    };
  }
  const { [mark]: own, ...marks } = lifecycle;
  return { rest: { ...others, lifecycle: marks }, value: own };
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** The ways to write a mark into a text, the most usual one first; not each is right for each text. */
class MarkWriter {
  readonly #text: string;
  readonly #document: number;
  readonly #written: WrittenText;
  readonly #newline: string;
  readonly #isJson: boolean;

  constructor(
    { text, document }: DocumentPlace,
    private readonly mark: Mark,
  ) {
    this.#text = text;
    this.#document = document;
    this.#written = new WrittenText(text);
    this.#newline = text.includes("\r\n") ? "\r\n" : "\n";
    const [first] = this.#keys([]);
    this.#isJson = this.#written.isFlow(document, []) && first !== undefined && text[first.start] === '"';
  }

  *writings(value: Json): Generator<Replacement> {
    const path = ["lifecycle", this.mark];
    if (this.#has(path)) {
      if (Array.isArray(value)) yield* this.#firstItem(path, value[0] ?? null);
      yield* this.#inPlaceOf(path, valueText(value, this.#isJson));
    } else if (this.#keys(["lifecycle"]).length > 0) yield* this.#firstKey(["lifecycle"], this.mark, value);
    else if (this.#has(["lifecycle"])) {
      yield* this.#inPlaceOf(["lifecycle"], valueText({ [this.mark]: value }, this.#isJson));
    } else {
      yield* this.#lastKey(value);
      yield* this.#firstKey([], "lifecycle", { [this.mark]: value });
    }
  }

  *removals(): Generator<Replacement> {
    const isAlone = this.#keys(["lifecycle"]).length === 1;
    yield* this.#without(isAlone ? [] : ["lifecycle"], isAlone ? "lifecycle" : this.mark);
  }

  /** Adds an item to a list, before all others. */
  *#firstItem(path: readonly string[], item: Json): Generator<Replacement> {
    const list = this.#written.valueAt(this.#document, path);
    if (!list?.isList) return;
    const text = valueText(item, this.#isJson);
    if (this.#text[list.start] === "[") yield inserted(list.start + 1, `${text}, `);
    else yield inserted(list.start, `- ${text}${this.#newline}${this.#indentAt(list.start)}`);
  }

  *#inPlaceOf(path: readonly string[], newText: string): Generator<Replacement> {
    const value = this.#written.valueAt(this.#document, path);
    const key = this.#keys(path.slice(0, -1)).find(({ name }) => name === path.at(-1));
    if (!key) return;
    const start = this.#text.indexOf(":", key.end) + 1;
    const end =
      value && value.end > start ? start + this.#text.slice(start, value.end).trimEnd().length : start;
    // An empty value is before a comment that follows.
    const isEmpty = !value || value.start === value.end;
    yield { start, end: isEmpty ? start : end, newText: ` ${newText}` };
  }

  *#firstKey(path: readonly string[], key: string, value: Json): Generator<Replacement> {
    const [first] = this.#keys(path);
    if (!first) return;
    const isFlow = this.#written.isFlow(this.#document, path);
    const separator = isFlow ? ", " : `${this.#newline}${this.#indentAt(first.start)}`;
    yield inserted(first.start, `${pairText(key, value, this.#isJson)}${separator}`);
  }

  /** Writes a lifecycle at the end of the document. */
  *#lastKey(value: Json): Generator<Replacement> {
    const keys = this.#keys([]);
    const [first, last] = [keys[0], keys.at(-1)];
    const head = this.#written.heads().find(({ document }) => document === this.#document);
    if (!first || !last || !head) return;
    if (this.#written.isFlow(this.#document, [])) {
      const end = this.#written.valueAt(this.#document, [last.name])?.end;
      const isOwnLine = this.#text.slice(this.#lineOf(last.start), last.start).trim() === "";
      const space = isOwnLine ? `${this.#newline}${this.#indentAt(last.start)}` : " ";
      const pair = pairText("lifecycle", { [this.mark]: value }, this.#isJson);
      if (end !== undefined) yield inserted(end, `,${space}${pair}`);
      return;
    }
    const indent = this.#indentAt(first.start);
    const before = this.#text.slice(0, head.range.end).endsWith("\n") ? "" : this.#newline;
    const lines = [`${indent}lifecycle:`, `${indent}  ${pairText(this.mark, value, false)}`, ""];
    yield inserted(head.range.end, before + lines.join(this.#newline));
  }

  *#without(path: readonly string[], name: string): Generator<Replacement> {
    const keys = this.#keys(path);
    const nth = keys.findIndex((each) => each.name === name);
    const key = keys[nth];
    const value = this.#written.valueAt(this.#document, [...path, name]);
    if (!key || !value) return;
    if (!this.#written.isFlow(this.#document, path)) {
      const start = this.#lineOf(key.start);
      const end = start + this.#text.slice(start, Math.max(value.end, key.end)).trimEnd().length;
      const next = this.#text.indexOf("\n", end);
      yield { start, end: next === -1 ? this.#text.length : next + 1, newText: "" };
      return;
    }
    const [before, after] = [keys[nth - 1], keys[nth + 1]];
    const left = before && this.#written.valueAt(this.#document, [...path, before.name])?.end;
    if (after) yield { start: key.start, end: after.start, newText: "" };
    else if (left !== undefined) yield { start: left, end: value.end, newText: "" };
  }

  #has(path: readonly string[]): boolean {
    return this.#keys(path.slice(0, -1)).some(({ name }) => name === path.at(-1));
  }

  /** Gives the keys of a mapping; their ranges include their quotes. */
  #keys(path: readonly string[]) {
    return this.#written.keysAt(this.#document, path).map((key) => {
      const isQuoted = /["']/.test(this.#text[key.start - 1] ?? "");
      return isQuoted ? { ...key, start: key.start - 1, end: key.end + 1 } : key;
    });
  }

  #lineOf(offset: number): number {
    return this.#text.lastIndexOf("\n", offset - 1) + 1;
  }

  #indentAt(offset: number): string {
    const before = this.#text.slice(this.#lineOf(offset), offset);
    return " ".repeat(before.replace("\u{feff}", "").length);
  }
}

function inserted(at: number, newText: string): Replacement {
  return { start: at, end: at, newText };
}

function pairText(key: string, value: Json, isJson: boolean): string {
  return isJson ? `${JSON.stringify(key)}: ${valueText(value, true)}` : `${key}: ${valueText(value, false)}`;
}

/** Writes a value in one line. */
function valueText(value: Json, isJson: boolean): string {
  if (Array.isArray(value)) return `[${value.map((each) => valueText(each, isJson)).join(", ")}]`;
  if (isObject(value)) {
    const pairs = Object.entries(value).map(([key, each]) => pairText(key, each, isJson));
    return `{${pairs.join(", ")}}`;
  }
  return typeof value === "string" && !isJson ? plainOrQuoted(value) : JSON.stringify(value);
}

/** Writes a text as YAML: in quotes where it would mean something else without them. */
export function plainOrQuoted(text: string): string {
  return isPlain(text) ? text : JSON.stringify(text);
}

function isPlain(text: string): boolean {
  if (!/^\w(?:[\w.:=/-]*[\w-])?$/.test(text)) return false;
  const [read] = parseDocuments("", `value: [${text}]`).value;
  return equal(read?.value, { value: [text] });
}
