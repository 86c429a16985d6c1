import type { Json } from "../../json/json.js";
import { parseJson, type ParsedJson } from "../../json/parse-json.js";
import { longestText, type StateText } from "./state-text.js";

/**
 * Parses a JSON text. One that is not a string may be longer than a string can be: it is parsed entry by entry, and
 * undefined if it does not have the layout of `jsonPieces`, or has any problem.
 */
export function parseLongJson(text: StateText): ParsedJson | undefined {
  if (typeof text === "string") return parseJson(text);
  const read = text.startsWith("{\n", 0) ? readEntries(text, 0, 1) : undefined;
  return read?.end === text.length - 1 && text.startsWith("\n", read.end) ? read : undefined;
}

/** Says why a text of which `parseLongJson` makes nothing cannot be read. */
export function explainTooLong(noun: string, text: StateText): string {
  return `the ${noun} has ${Math.ceil(text.length / 1_000_000)} MB, and one of this size is only read in the layout that agentform writes`;
}

interface Read {
  readonly value: Json;
  /** The offset after it. */
  readonly end: number;
}

// The keys of plans and of their documents.
const longestKey = 10_000;

/** Reads a collection of several lines, whose entries begin with two spaces for each depth. */
function readEntries(text: StateText, start: number, depth: number): Read | undefined {
  const isList = text.startsWith("[", start);
  const indent = "  ".repeat(depth);
  const closing = `\n${indent.slice(2)}${isList ? "]" : "}"}`;
  const items: Json[] = [];
  const members: [string, Json][] = [];
  for (let at = start + 1; ; at++) {
    if (!text.startsWith(`\n${indent}`, at)) return undefined;
    at += 1 + indent.length;
    const key = isList ? undefined : readKey(text, at);
    const read = isList || key ? readValue(text, key?.end ?? at, depth) : undefined;
    if (!read) return undefined;
    if (key) members.push([key.value, read.value]);
    else items.push(read.value);
    at = read.end;
    if (text.startsWith(closing, at)) {
      return { value: isList ? items : Object.fromEntries(members), end: at + closing.length };
    }
    if (!text.startsWith(",", at)) return undefined;
  }
}

function readKey(
  text: StateText,
  start: number,
): { readonly value: string; readonly end: number } | undefined {
  const end = text.indexOf('": ', start);
  if (end === -1 || end - start > longestKey) return undefined;
  const { value } = parseJson(text.slice(start, end + 1));
  return typeof value === "string" ? { value, end: end + 3 } : undefined;
}

// A JSON string has no line end, so a line that begins with a closing bracket is never inside one.
function readValue(text: StateText, start: number, depth: number): Read | undefined {
  const bracket = ["{\n", "[\n"].find((each) => text.startsWith(each, start));
  if (bracket !== undefined && depth === 1) return readEntries(text, start, 2);
  const closing = `\n${"  ".repeat(depth)}${bracket === "{\n" ? "}" : "]"}`;
  const last = bracket === undefined ? text.indexOf("\n", start) : text.indexOf(closing, start);
  if (last === -1) return undefined;
  const isFollowed = bracket === undefined && text.startsWith(",", last - 1);
  const end = bracket === undefined ? last - (isFollowed ? 1 : 0) : last + closing.length;
  if (end - start > longestText) return undefined;
  const { value } = parseJson(text.slice(start, end));
  return value === undefined ? undefined : { value, end };
}
