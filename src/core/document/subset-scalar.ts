import type { Json } from "../../json/json.js";
import { stringEnd } from "../../json/json-text.js";
import type { SubsetCursor } from "./subset-cursor.js";
import { foldBlock, foldLines, plainValue, unescape } from "./subset-value.js";

// What no plain scalar of the subset begins with; a dash is one only before a space.
const indicators = "?:,[]{}#&*!|>'\"%@`";
const flowIndicators = ",[]{}";
const [newline, space, hash, colon] = [10, 32, 35, 58];
// The library refuses longer ones from 1,024 characters on.
const longestKey = 1000;

/** Reads a key and its colon; undefined at any doubt, or if what is here has no colon. */
export function readKey(cursor: SubsetCursor, inFlow: boolean): string | undefined {
  const begun = cursor.at;
  const isQuoted = isQuote(cursor.char);
  const key = isQuoted ? readQuoted(cursor, Infinity) : readPlain(cursor, inFlow);
  if (key === undefined || cursor.at - begun > longestKey) return undefined;
  if (isQuoted && inFlow) cursor.at = cursor.afterSpaces();
  const isKey = cursor.charAt(cursor.at++) === ":" && (inFlow || cursor.isBlank(cursor.at));
  return isKey ? key : undefined;
}

/** Reads one line of a plain scalar; undefined at any doubt. */
export function readPlain(cursor: SubsetCursor, inFlow: boolean): string | undefined {
  const { text, at, char } = cursor;
  if (indicators.includes(char)) return undefined;
  if (char === "-" && (cursor.isBlank(at + 1) || (inFlow && flowIndicators.includes(cursor.charAt(at + 1)))))
    return undefined;
  if ((char === "-" || char === ".") && (text.startsWith("---", at) || text.startsWith("...", at)))
    return undefined;
  skipPlain(cursor, inFlow);
  return text.slice(at, cursor.at);
}

// By codes, because this goes through most of a text.
function skipPlain(cursor: SubsetCursor, inFlow: boolean): void {
  const { text } = cursor;
  let end = cursor.at;
  for (let at = end; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === space) continue;
    if (code === newline || (code === hash && text.charCodeAt(at - 1) === space)) break;
    if (code === colon && (cursor.isBlank(at + 1) || (inFlow && isFlowIndicator(text.charCodeAt(at + 1)))))
      break;
    if (inFlow && isFlowIndicator(code)) break;
    end = at + 1;
  }
  cursor.at = end;
}

function isFlowIndicator(code: number): boolean {
  return code === 44 || code === 91 || code === 93 || code === 123 || code === 125;
}

/** Reads a plain scalar in a block collection of a column, which may have more lines; undefined at any doubt. */
export function readPlainLines(cursor: SubsetCursor, column: number): Json | undefined {
  const begun = cursor.at;
  const one = readPlain(cursor, false);
  if (one === undefined) return undefined;
  const end = cursor.at;
  for (let next = nextLine(cursor, column); next !== -1; next = nextLine(cursor, column)) {
    if (cursor.isItem(next)) return undefined;
    cursor.at = next;
    skipPlain(cursor, false);
  }
  return end === cursor.at ? plainValue(one) : foldLines(cursor.text.slice(begun, cursor.at));
}

/** Gives where a plain scalar goes on after its line, -1 if it does not. */
function nextLine(cursor: SubsetCursor, column: number): number {
  const { text } = cursor;
  let line = cursor.at;
  let at = cursor.afterSpaces();
  while (text[at] === "\n") {
    line = at + 1;
    at = cursor.afterSpaces(line);
  }
  const isText = line !== cursor.at && at < text.length && text[at] !== "#";
  return isText && at - line > column ? at : -1;
}

/** Whether a quoted scalar begins here. */
export function isQuote(char: string): boolean {
  return char === '"' || char === "'";
}

/** Reads a quoted scalar, whose further lines must be indented deeper than a column; undefined at any doubt. */
export function readQuoted(cursor: SubsetCursor, column: number): string | undefined {
  const { text, char } = cursor;
  const begun = cursor.at + 1;
  const end = char === '"' ? stringEnd(text, cursor.at) - 1 : singleEnd(text, begun);
  if (end < 0) return undefined;
  const source = text.slice(begun, end);
  cursor.at = end + 1;
  if (source.includes("\n") && !isIndented(cursor, begun, end, column)) return undefined;
  if (char === '"') return source.includes("\\") ? unescape(source) : foldLines(source);
  return foldLines(source).replaceAll("''", "'");
}

function singleEnd(text: string, from: number): number {
  let at = text.indexOf("'", from);
  while (at !== -1 && text[at + 1] === "'") at = text.indexOf("'", at + 2);
  return at;
}

function isIndented(cursor: SubsetCursor, from: number, to: number, column: number): boolean {
  // Without an indentation, a marker between documents could be in it.
  if (column < 0) return false;
  for (let end = cursor.lineEnd(from); end < to; end = cursor.lineEnd(end + 1)) {
    const at = cursor.afterSpaces(end + 1);
    if (cursor.charAt(at) !== "\n" && at - end - 1 <= column) return false;
  }
  return true;
}

/** Reads a literal or folded scalar in a collection of a column, and goes to the next line; undefined at any doubt. */
export function readBlockScalar(cursor: SubsetCursor, column: number): string | undefined {
  const { text } = cursor;
  const isFolded = cursor.char === ">";
  const isStripped = cursor.charAt(++cursor.at) === "-";
  if (isStripped) cursor.at++;
  let end = cursor.commentEnd();
  if (end === -1) return undefined;
  const lines: string[] = [];
  let width = 0;
  for (;;) {
    const line = end + 1;
    const at = cursor.afterSpaces(line);
    const isEmpty = cursor.charAt(at) === "\n";
    // Whether the spaces of a line without text count depends on the lines around it.
    if (isEmpty && at > line) return undefined;
    if (at >= text.length) break;
    if (!isEmpty) {
      width ||= at - line;
      if (at - line < width || width <= column) break;
      if (isFolded && at - line > width) return undefined;
    }
    end = cursor.lineEnd(line);
    lines.push(isEmpty ? "" : text.slice(line + width, end));
  }
  if (width === 0 || width <= column || !cursor.findLine(end)) return undefined;
  while (lines.at(-1) === "") lines.pop();
  const value = lines.join("\n");
  cursor.count++;
  return (isFolded ? foldBlock(value) : value) + (isStripped ? "" : "\n");
}
