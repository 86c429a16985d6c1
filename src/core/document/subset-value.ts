import { hasHalfCharacter } from "../../json/texts.js";
import { objectWith, setMember, type Json, type JsonObject } from "../../json/json.js";

/** The keys that no mapping may have. */
export interface RefusedKeys {
  has(key: string): boolean;
}

const number = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const rareNumber = /^(?:0[ox]|[-+]?\.(?:inf|nan))/i;

/** Gives the value of a plain scalar on one line in the core schema; undefined for rare notations of numbers. */
export function plainValue(source: string): Json | undefined {
  switch (source) {
    case "~":
    case "null":
    case "Null":
    case "NULL":
      return null;
    case "true":
    case "True":
    case "TRUE":
      return true;
    case "false":
    case "False":
    case "FALSE":
      return false;
  }
  // Signs, the point and digits; a comma begins no plain scalar, and a slash no number.
  const first = source.charCodeAt(0);
  if (first < 43 || first > 57) return source;
  if (number.test(source)) {
    const value = Number(source);
    // A larger integer may lose digits, and the largest numbers are infinite.
    return Math.abs(value) > Number.MAX_SAFE_INTEGER ? undefined : value;
  }
  return rareNumber.test(source) ? undefined : source;
}

/** Gives a mapping with one more member, or its first; undefined if it has the key already, or must not have it. */
export function withMember(
  mapping: JsonObject | undefined,
  key: string,
  value: Json,
  refused: RefusedKeys,
): JsonObject | undefined {
  if (refused.has(key)) return undefined;
  if (mapping === undefined) return objectWith(key, value);
  if (Object.hasOwn(mapping, key)) return undefined;
  setMember(mapping, key, value);
  return mapping;
}

/** Folds the lines of a plain or single-quoted scalar: a break is a space, and of several the first is dropped. */
export function foldLines(source: string): string {
  return source.includes("\n") ? source.replace(/(?<! ) *\n[ \n]*/g, fold) : source;
}

/** Folds the lines of a folded block scalar that have all the same indentation; breaks before the first are kept. */
export function foldBlock(source: string): string {
  return source.replace(/(?<=[^\n])\n+/g, fold);
}

function fold(found: string): string {
  const breaks = found.split("\n").length - 1;
  return breaks === 1 ? " " : "\n".repeat(breaks - 1);
}

const escaped: ReadonlyMap<string, string> = new Map([
  ...[...'"/\\ '].map((each) => [each, each] as const),
  ...Object.entries({ 0: "\0", a: "\x07", b: "\b", e: "\x1b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" }),
  ...Object.entries({ N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029" }),
]);

const codes = String.raw`x[\da-fA-F]{2}|u[\da-fA-F]{4}|U00(?:0[\da-fA-F]|10)[\da-fA-F]{4}`;
const piece = new RegExp(String.raw`\\(?:\n *|${codes}|[^])?| +(?:\n[ \n]*)?|\n[ \n]*`, "g");

/** Gives the text of a double-quoted scalar with escapes; undefined if one of them is unknown, or half of a character. */
export function unescape(source: string): string | undefined {
  let isKnown = true;
  const text = source.replace(piece, (found) => {
    if (found[0] !== "\\") return found.includes("\n") ? fold(found) : found;
    if (found[1] === "\n") return "";
    if (found.length > 2) return String.fromCodePoint(Number.parseInt(found.slice(2), 16));
    const char = escaped.get(found.slice(1));
    isKnown &&= char !== undefined;
    return char ?? "";
  });
  return isKnown && !hasHalfCharacter(text) ? text : undefined;
}
