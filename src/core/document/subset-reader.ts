import type { Json, JsonObject } from "../../json/json.js";
import { SubsetCursor } from "./subset-cursor.js";
import { isQuote, readBlockScalar, readKey, readPlainLines, readQuoted, readPlain } from "./subset-scalar.js";
import { withMember, type RefusedKeys, plainValue } from "./subset-value.js";

// Tabs, carriage returns, control characters, byte order marks, what only some take as the end of a line, and halves of
// characters.
const odd = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\u{10ffff}]/u;

// Most texts are in ASCII, which is told in half of the time.
const notPlain = /[^\n\x20-\x7e]/;

/** Reads a strict subset of YAML 1.2 as the library does, null for an empty document; undefined at any doubt. */
export function readSubset(text: string, limit: number, refused: RefusedKeys): Json[] | undefined {
  const lines = text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
  if (notPlain.test(lines) && odd.test(lines)) return undefined;
  const cursor = new SubsetCursor(lines, refused);
  const documents: Json[] = [];
  if (!cursor.findLine(-1)) return undefined;
  while (!cursor.isOver) {
    const document = readDocument(cursor);
    if (document === undefined || cursor.indent !== -1 || cursor.count > limit) return undefined;
    cursor.count++;
    documents.push(document);
  }
  return documents;
}

function readDocument(cursor: SubsetCursor): Json | undefined {
  if (cursor.isMarker("---")) {
    cursor.at += 3;
    if (!cursor.endLine()) return undefined;
    if (cursor.indent === -1) return null;
  }
  if (cursor.indent !== 0) return undefined;
  const value = readBlock(cursor, -1);
  return typeof value === "object" ? value : undefined;
}

/** Reads the value that begins here, in a collection of a column. */
function readBlock(cursor: SubsetCursor, column: number): Json | undefined {
  if (cursor.isItem()) return readSequence(cursor, false);
  const { at, char } = cursor;
  const here = at - cursor.line;
  const isAlone = here === cursor.indent;
  if (isAlone && (char === "|" || char === ">")) return undefined;
  const key = readKey(cursor, false);
  if (key !== undefined) return readMapping(cursor, here, key);
  cursor.at = at;
  // After a comment, the library allows a scalar another indentation.
  return isAlone && cursor.isAfterComment ? undefined : readScalar(cursor, column);
}

function readMapping(cursor: SubsetCursor, column: number, first: string): JsonObject | undefined {
  if (!cursor.open()) return undefined;
  let mapping: JsonObject | undefined;
  for (let key: string | undefined = first; key !== undefined; key = readKey(cursor, false)) {
    const value = readAfterIndicator(cursor, column, true);
    if (value === undefined) return undefined;
    mapping = withMember(mapping, key, value, cursor.refused);
    if (mapping === undefined || cursor.indent > column) return undefined;
    if (cursor.indent === column) continue;
    cursor.close();
    return mapping;
  }
  return undefined;
}

/** Reads the items in this column; if it is also that of a mapping, the next key ends them. */
function readSequence(cursor: SubsetCursor, isShared: boolean): Json[] | undefined {
  if (!cursor.open()) return undefined;
  const column = cursor.at - cursor.line;
  const items: Json[] = [];
  while (cursor.isItem()) {
    cursor.at++;
    const item = readAfterIndicator(cursor, column, false);
    if (item === undefined || cursor.indent > column) return undefined;
    items.push(item);
    if (cursor.indent < column || (isShared && !cursor.isItem())) {
      cursor.close();
      return items;
    }
  }
  return undefined;
}

/** Reads what a member or item of a collection has after its colon or dash. */
function readAfterIndicator(cursor: SubsetCursor, column: number, isMember: boolean): Json | undefined {
  cursor.count++;
  const begun = cursor.at;
  cursor.at = cursor.afterSpaces();
  if (cursor.char !== "\n" && cursor.char !== "#") {
    return isMember ? readScalar(cursor, column) : readBlock(cursor, column);
  }
  cursor.at = begun;
  if (!cursor.endLine()) return undefined;
  if (cursor.indent > column) return readBlock(cursor, column);
  return isMember && cursor.indent === column && cursor.isItem() ? readSequence(cursor, true) : null;
}

/** Reads a scalar or flow collection, and goes to the next line with a value. */
function readScalar(cursor: SubsetCursor, column: number): Json | undefined {
  const { char } = cursor;
  if (char === "|" || char === ">") return readBlockScalar(cursor, column);
  let value: Json | undefined;
  if (isQuote(char)) value = readQuoted(cursor, column);
  else if (char === "[" || char === "{") value = readFlow(cursor, column);
  else value = readPlainLines(cursor, column);
  return value !== undefined && cursor.endLine() ? value : undefined;
}

/** Reads a flow collection, whose further lines must be indented deeper than a column; undefined at any doubt. */
function readFlow(cursor: SubsetCursor, column: number, isOuter = true): Json | undefined {
  if (!cursor.open()) return undefined;
  const isMapping = cursor.char === "{";
  const end = isMapping ? "}" : "]";
  const items: Json[] = [];
  let mapping: JsonObject | undefined;
  cursor.at++;
  while (skipGap(cursor, column, isOuter)) {
    if (cursor.char === end) {
      cursor.at++;
      cursor.close();
      return isMapping ? (mapping ?? {}) : items;
    }
    const key = isMapping ? readKey(cursor, true) : "";
    if (key === undefined || (isMapping && !skipGap(cursor, column, isOuter))) return undefined;
    const value = readFlowValue(cursor, column);
    if (value === undefined || !skipGap(cursor, column, isOuter)) return undefined;
    if (!isMapping) items.push(value);
    else {
      mapping = withMember(mapping, key, value, cursor.refused);
      if (mapping === undefined) return undefined;
    }
    if (cursor.char === ",") cursor.at++;
    else if (cursor.char !== end) return undefined;
  }
  return undefined;
}

function readFlowValue(cursor: SubsetCursor, column: number): Json | undefined {
  cursor.count++;
  if (cursor.char === "[" || cursor.char === "{") return readFlow(cursor, column, false);
  if (isQuote(cursor.char)) return readQuoted(cursor, column);
  const source = readPlain(cursor, true);
  return source === undefined ? undefined : plainValue(source);
}

/** Skips spaces, comments and ends of lines; false at any doubt, and at the end of the text. */
function skipGap(cursor: SubsetCursor, column: number, isOuter: boolean): boolean {
  for (;;) {
    cursor.at = cursor.afterSpaces();
    if (cursor.char === "#") {
      // At the beginning of a line too, the library wants a space after some values.
      if (cursor.charAt(cursor.at - 1) !== " ") return false;
      cursor.count++;
      cursor.at = cursor.lineEnd();
    }
    if (cursor.isOver) return false;
    if (cursor.char !== "\n") return true;
    cursor.line = ++cursor.at;
    cursor.at = cursor.afterSpaces();
    const indent = cursor.at - cursor.line;
    // The last bracket may also be below the key.
    const isEnd = isOuter && indent === column && "]}".includes(cursor.char);
    const isInside = indent > column || isEnd || cursor.char === "\n" || cursor.char === "#";
    if (!isInside || cursor.isMarker("---") || cursor.isMarker("...")) return false;
  }
}
