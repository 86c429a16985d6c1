import { isExpression, parseText, readable, unescaped } from "../../core/expression/expression.js";
import { type Json, type JsonObject } from "../../json/json.js";
import { cutText, headOf } from "./cut-text.js";
import { safeLine } from "./terminal-text.js";

// What only the renderers say: that something is cut, changes, is more than is shown, or a character that is not seen.
const looksLikeOurs = /[→…]|\\(?:[nrt]|x[\da-f]{2}|u\{)|\((?:[\d,]+ |same |what it |gets |has )/;
const looksLikeAnother = /^(?:true|false|null|~|[-+]?(?:0x[\da-f]+|0o[0-7]+|\.?\d[\d._]*(?:e[-+]?\d+)?))$/i;

function looksLike(text: string): boolean {
  return looksLikeAnother.test(text) || looksLikeOurs.test(text);
}

/** Renders a scalar on one line, safe and uncut; a text that could be mistaken for another value is quoted. */
export function scalarText(value: Json): string {
  if (typeof value !== "string") return flowText(value);
  return plainOrQuoted(value, value.trim() === value && value !== "" && !looksLike(value));
}

/** Renders any value on one line, YAML-like and safe, cut at `width` if there is one. */
export function flowText(value: Json, width = Number.POSITIVE_INFINITY): string {
  return cutText(withFlow("", value, width), width);
}

/** Whether a value on one line is longer than `width`. */
export function isLongFlow(value: Json, width: number): boolean {
  return withFlow("", value, width).length > width;
}

/** Whether a value has members or items. */
export function isNested(value: Json): value is JsonObject | Json[] {
  return typeof value === "object" && value !== null;
}

/** Renders an object or list as safe YAML-like lines; if open, each member has its own, however short. */
export function blockText(value: Json, isOpen = false): string[] {
  return [...blockLines(value, 0, isOpen)];
}

function keyText(key: string): string {
  return /^[\w$.-]+$/.test(key) ? key : quoted(key);
}

// In double quotes, backslashes and quotes escaped.
function quoted(text: string): string {
  return `"${safeLine(text.replace(/[\\"]/g, "\\$&"))}"`;
}

function plainOrQuoted(text: string, isPlain: boolean): string {
  const shown = readable(text);
  // The text of an expression is not the expression.
  if (shown.includes("$${") && parseText(unescaped(text)).some(isExpression)) return quoted(text);
  return isPlain ? safeLine(shown) : quoted(shown);
}

// Appends a value on one line. What is beyond the width is cut anyway, and may be long.
function withFlow(before: string, value: Json, width: number): string {
  if (typeof value === "string") return before + flowString(headOf(value, width + 2));
  if (!isNested(value)) return before + JSON.stringify(value);
  const members = Array.isArray(value) ? value.entries() : Object.entries(value);
  let text = before + (Array.isArray(value) ? "[" : "{");
  let separator = "";
  for (const [key, member] of members) {
    if (text.length > width) return text;
    const name = typeof key === "string" ? `${keyText(key)}: ` : "";
    text = withFlow(text + separator + name, member, width);
    separator = ", ";
  }
  return text + (Array.isArray(value) ? "]" : "}");
}

function flowString(text: string): string {
  const isPlain = isBareExpression(text) || /^[^\s,[\]{}"#:][^,[\]{}"#\n]*$/.test(text);
  return plainOrQuoted(text, isPlain && text.trim() === text && !/:\s|:$/.test(text) && !looksLike(text));
}

// An expression is plain enough in the company of others, whatever braces and spaces it holds.
function isBareExpression(text: string): boolean {
  if (!text.startsWith("${") || text.includes(",")) return false;
  const [part, more] = parseText(text);
  return part !== undefined && more === undefined && isExpression(part);
}

// Deeper than anybody reads, a value stays on one line.
const deepest = 12;
const shortest = 60;

function* blockLines(value: Json, depth: number, isOpen = false): Generator<string> {
  if (typeof value === "string" && value.includes("\n")) {
    for (const line of linesOfText(value)) yield safeLine(line);
  } else if (depth >= deepest || !isNested(value) || (!isOpen && isShort(value))) {
    yield flowText(value);
  } else if (Array.isArray(value)) {
    for (const item of value) yield* itemLines(item, depth);
  } else {
    for (const [key, member] of Object.entries(value)) yield* memberLines(key, member, depth);
  }
}

/** Gives the lines of a text as a reader sees it, not yet safe; the end of the last one is no line. */
export function linesOfText(text: string): string[] {
  return readable(text).replace(/\n$/, "").split("\n");
}

function* itemLines(item: Json, depth: number): Generator<string> {
  const lines = blockLines(item, depth + 1);
  if (typeof item !== "string" || !item.includes("\n")) return yield* prefixed("- ", lines);
  // Its lines may begin with dashes of their own.
  yield "- |";
  for (const line of lines) yield line === "" ? "" : `    ${line}`;
}

function* memberLines(key: string, member: Json, depth: number): Generator<string> {
  const name = `${keyText(key)}:`;
  if (typeof member === "string" && member.includes("\n")) yield `${name} |`;
  else if (depth + 1 >= deepest || !isNested(member) || isShort(member)) {
    yield `${name} ${flowText(member)}`;
    return;
  } else yield name;
  for (const line of blockLines(member, depth + 1)) yield line === "" ? "" : `  ${line}`;
}

function* prefixed(first: string, lines: Generator<string>): Generator<string> {
  let prefix = first;
  for (const line of lines) {
    yield prefix + line;
    prefix = " ".repeat(first.length);
  }
}

// An object of its own line is easier to read; a list or a lone member is not.
function isShort(value: JsonObject | Json[]): boolean {
  return !isLongFlow(value, shortest);
}
