import type { DiagnosticFix } from "../../generated/diagnostics.js";
import type { Json } from "../../json/json.js";
import { cutText, quote, quoteFew } from "./quotation.js";

/** A change that corrects what a finding is about. */
export type Fix = DiagnosticFix;

// A name may be as long as a file, and have as many findings as a file has lines.
const longestPart = 500;

/** The names that parts of sentences have: the same name for the same thing, whatever the code. */
type PartName =
  | "address"
  | "addresses"
  | "code"
  | "command"
  | "count"
  | "environment"
  | "expected"
  | "field"
  | "fields"
  | "file"
  | "files"
  | "format"
  | "found"
  | "from"
  | "id"
  | "ids"
  | "key"
  | "kind"
  | "limit"
  | "line"
  | "lock"
  | "meant"
  | "missing"
  | "name"
  | "nonce"
  | "operation"
  | "option"
  | "other"
  | "reason"
  | "scheme"
  | "selector"
  | "serial"
  | "size"
  | "source"
  | "status"
  | "to"
  | "url";

/** What a sentence is about, by name. */
type SaidParts = { readonly [Key in PartName]?: Json };

/** A sentence, with what it is about as data, and the changes that it proposes. */
export class Said {
  constructor(
    readonly text: string,
    readonly parts: SaidParts = {},
    readonly fixes: readonly Fix[] = [],
  ) {}

  /** The same with a change that it proposes. */
  proposing(...fixes: readonly Fix[]): Said {
    return new Said(this.text, this.parts, [...this.fixes, ...fixes]);
  }

  toString(): string {
    return this.text;
  }
}

/** A sentence, with or without data. */
export type Sentence = string | Said;

/** Makes a sentence from a template in which `{name: value}` is data; texts in it are quoted, words are not. */
export function say(
  strings: TemplateStringsArray,
  ...values: readonly (Sentence | number | SaidParts)[]
): Said {
  let text = strings[0] ?? "";
  const parts: { [Key in PartName]?: Json } = {};
  const fixes: Fix[] = [];
  for (const [index, value] of values.entries()) {
    if (value instanceof Said) {
      Object.assign(parts, value.parts);
      fixes.push(...value.fixes);
      text += value.text;
    } else if (typeof value === "object") {
      Object.assign(parts, bare(value).parts);
      text += Object.values(value).map(shown).join(", ");
    } else text += String(value);
    text += strings[index + 1] ?? "";
  }
  return new Said(text, parts, fixes);
}

/** Makes words that are data, too, without quotes; a number or a list may be written in another way. */
export function bare(parts: SaidParts, text = Object.values(parts).flat().join(", ")): Said {
  const data = Object.entries(parts).map(([name, value]) => [name, shareable(value)]);
  return new Said(text, Object.fromEntries(data) as SaidParts);
}

const mostNames = 100;

/** Quotes the first of some names that are possible, of which there may be ten thousand, and says how many more there are. */
export function fewOf(names: readonly string[]): Said {
  return bare({ expected: names.slice(0, mostNames) }, quoteFew(names));
}

function shareable(value: Json): Json {
  if (typeof value === "string") return cutText(value, longestPart);
  return Array.isArray(value) ? value.map(shareable) : value;
}

function shown(value: Json): string {
  if (typeof value === "string") return quote(value);
  return Array.isArray(value) ? value.map(shown).join(", ") : JSON.stringify(value);
}

/** Gives the text of a sentence. */
export function textOf(sentence: Sentence): string {
  return typeof sentence === "string" ? sentence : sentence.text;
}
