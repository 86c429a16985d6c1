import { Lexer } from "yaml";
import { isExpression, parseText, type Expression } from "../expression/expression.js";
import type { Range } from "./range.js";

/** An expression with its range in a text. */
export interface WrittenExpression extends Expression, Range {}

/** Finds the expressions of a text that are not in comments, also if it is not valid YAML; a text that is no YAML has no comments. */
export function expressionsIn(text: string, isYaml: boolean): WrittenExpression[] {
  if (!text.includes("${")) return [];
  if (!isYaml) return expressionsOf(text, 0);
  const found: WrittenExpression[] = [];
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    // The lexer puts marks of one character between the tokens, which are not part of the text.
    if (isMark(token)) continue;
    for (const each of token.startsWith("#") ? [] : expressionsOf(token, offset)) found.push(each);
    offset += token.length;
  }
  return found;
}

// A byte order mark, the beginning of a document, the end of a flow collection that is not closed, and a scalar.
function isMark(token: string): boolean {
  return token === "\u{2}" || token === "\u{18}" || token === "\u{1f}";
}

function expressionsOf(text: string, from: number): WrittenExpression[] {
  return parseText(text)
    .filter(isExpression)
    .map((expression) => {
      const start = from + expression.offset;
      return { ...expression, start, end: start + expression.source.length };
    });
}

/** Gives the part of a text in which an expression is being written at an offset; undefined outside of one. */
export function openExpressionAt(text: string, offset: number): OpenExpression | undefined {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  const opened = before.lastIndexOf("${");
  if (opened === -1 || before[opened - 1] === "$") return undefined;
  const typed = before.slice(opened + 2);
  if (count(typed, "}") > count(typed, "{")) return undefined;
  const from = lineStart + opened + 2;
  const line = text.slice(from).split("\n", 1)[0] ?? "";
  const end = Math.max(from + partLength(line), offset + partLength(line.slice(typed.length)));
  const [scheme, locator] = /^([a-z][a-z0-9_]*):(.*)$/.exec(typed)?.slice(1) ?? [];
  const isClosed = text[end] === "}";
  if (scheme === undefined || locator === undefined) {
    return /^[a-z0-9_]*$/.test(typed) ? { typed, start: from, end, isClosed } : undefined;
  }
  return { scheme, typed: locator, start: offset - locator.length, end, isClosed };
}

// A path after a method has a space before it, and it and a key have parameters in braces.
function partLength(text: string): number {
  return /^(?:[^\s{}"',]| (?=\/)|\{[^\s{}"',]*\})*/.exec(text)?.[0].length ?? 0;
}

/** An expression that is being written. */
export interface OpenExpression extends Range {
  /** Its scheme, once there is a colon. */
  readonly scheme?: string;
  /** The part of the scheme, or of the locator, before the cursor. */
  readonly typed: string;
  /** Whether its closing brace is there. */
  readonly isClosed: boolean;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
