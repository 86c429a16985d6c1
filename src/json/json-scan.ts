import { depthLimit } from "./json.js";
import { keepsDigits, stringEnd } from "./json-text.js";
import { hasHalfCharacter } from "./texts.js";

/** The first problem of a JSON text, and where it is, in UTF-16 code units. */
export interface JsonProblem {
  readonly code:
    | "file-syntax"
    | "yaml-duplicate-key"
    | "forbidden-key"
    | "too-deep"
    | "integer-too-large"
    | "half-character"
    | "number-not-finite";
  readonly offset: number;
}

const space = /[ \t\n\r]*/y;
const token =
  /[{}[\],:]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*){0,1000}"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y;

/** The expected next part: a value, the end of a list or mapping right after its start, a key, a colon, or a separator after a value. */
type Expected = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "separator";

/** Finds the first problem of a JSON text, whose place `JSON.parse` does not report reliably; without recursion. */
export function scanJson(text: string): JsonProblem | undefined {
  // A set holds the keys of an open mapping; null is an open list.
  const open: (Set<string> | null)[] = [];
  let expected: Expected = "value";
  for (let offset = skipSpace(text, 0); offset < text.length;) {
    token.lastIndex = offset;
    const found = token.exec(text)?.[0] ?? longString(text, offset);
    const next: ReturnType<typeof step> = found === undefined ? undefined : step(found, expected, open);
    if (found === undefined || next === undefined) return { code: "file-syntax", offset };
    if (typeof next === "object") return { ...next, offset };
    expected = next;
    offset = skipSpace(text, offset + found.length);
    if (open.length === 0 && expected === "separator" && offset < text.length)
      return { code: "file-syntax", offset };
  }
  return open.length === 0 && expected === "separator"
    ? undefined
    : { code: "file-syntax", offset: text.length };
}

// A string with more escapes than a regular expression can process.
function longString(text: string, offset: number): string | undefined {
  const end = text[offset] === '"' ? stringEnd(text, offset) : -1;
  if (end === -1) return undefined;
  const found = text.slice(offset, end);
  try {
    JSON.parse(found);
    return found;
  } catch {
    return undefined;
  }
}

function step(
  found: string,
  expected: Expected,
  open: (Set<string> | null)[],
): Expected | Pick<JsonProblem, "code"> | undefined {
  const keys = open.at(-1);
  if (expected === "colon") return found === ":" ? "value" : undefined;
  if (expected === "key" || expected === "key-or-end") {
    if (found === "}" && expected === "key-or-end") return close(open);
    return found.startsWith('"') && keys ? readKey(found, keys) : undefined;
  }
  if (expected === "separator") {
    if (found === ",") return keys ? "key" : "value";
    return found === (keys ? "}" : "]") ? close(open) : undefined;
  }
  if (found === "]" && expected === "value-or-end") return close(open);
  if (found === "{" || found === "[") {
    if (open.length >= depthLimit) return { code: "too-deep" };
    open.push(found === "{" ? new Set() : null);
    return found === "{" ? "key-or-end" : "value-or-end";
  }
  if ("}],:".includes(found)) return undefined;
  return checkText(found) ?? checkNumber(found) ?? "separator";
}

function close(open: unknown[]): Expected {
  open.pop();
  return "separator";
}

function readKey(found: string, keys: Set<string>): Expected | Pick<JsonProblem, "code"> {
  const key = String(JSON.parse(found));
  if (hasHalfCharacter(key)) return { code: "half-character" };
  if (key === "__proto__") return { code: "forbidden-key" };
  if (keys.has(key)) return { code: "yaml-duplicate-key" };
  keys.add(key);
  return "colon";
}

function checkText(found: string): Pick<JsonProblem, "code"> | undefined {
  const isHalf =
    found.startsWith('"') && found.includes("\\u") && hasHalfCharacter(String(JSON.parse(found)));
  return isHalf ? { code: "half-character" } : undefined;
}

function checkNumber(found: string): Pick<JsonProblem, "code"> | undefined {
  if (!/^[-\d]/.test(found)) return undefined;
  if (!Number.isFinite(Number(found))) return { code: "number-not-finite" };
  const isInteger = /^-?\d+$/.test(found);
  if (isInteger && !Number.isSafeInteger(Number(found)) && !keepsDigits(found))
    return { code: "integer-too-large" };
  return undefined;
}

function skipSpace(text: string, offset: number): number {
  space.lastIndex = offset;
  space.exec(text);
  return space.lastIndex;
}
