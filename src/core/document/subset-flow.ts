import type { Json, JsonObject } from "../../json/json.js";
import type { SubsetCursor } from "./subset-cursor.js";
import { isQuote, readKey, readPlain, readQuoted } from "./subset-scalar.js";
import { addMember, plainValue } from "./subset-value.js";

/** Reads a flow collection, whose further lines must be indented deeper than a column; undefined at any doubt. */
export function readFlow(cursor: SubsetCursor, column: number, isOuter = true): Json | undefined {
  if (!cursor.open()) return undefined;
  const isMapping = cursor.char === "{";
  const end = isMapping ? "}" : "]";
  const items: Json[] = [];
  const mapping: JsonObject = {};
  cursor.at++;
  while (skipGap(cursor, column, isOuter)) {
    if (cursor.char === end) {
      cursor.at++;
      cursor.close();
      return isMapping ? mapping : items;
    }
    const key = isMapping ? readKey(cursor, true) : "";
    if (key === undefined || (isMapping && !skipGap(cursor, column, isOuter))) return undefined;
    const value = readFlowValue(cursor, column);
    if (value === undefined || !skipGap(cursor, column, isOuter)) return undefined;
    if (!isMapping) items.push(value);
    else if (!addMember(mapping, key, value, cursor.refused)) return undefined;
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
