import { parseText } from "../expression/expression.js";
import type { Fix } from "../finding/said.js";
import type { Range } from "./range.js";

/** Gives what a fix changes in a text, if at the range is what the fix is about; nothing for a `mark`. */
export function editOf(
  text: string,
  range: Range,
  { type, from, to }: Fix,
): { readonly range: Range; readonly newText: string } | undefined {
  if (from === undefined || to === undefined) return undefined;
  const written = text.slice(range.start, range.end);
  if (type === "quote") {
    const start = nearestTo(range.start, text, from);
    return start === -1 ? undefined : { range: { start, end: start + from.length }, newText: to };
  }
  if (type === "escape") {
    if (!written.startsWith(from)) return undefined;
    return { range: { start: range.start, end: range.start }, newText: "$" };
  }
  if (!written.includes(from) || (type === "change" && !isAbout(written, from))) return undefined;
  const replaced = written.replace(from, () => to);
  // What is in quotes or below `|` and `>` stays there, and what is not needs quotes in brackets or braces.
  const isBare = type === "write" && !/^["'|>]/.test(written);
  // In quotes, the lines of a plain text would not be joined as they are now.
  if (replaced === written || (isBare && written.includes("\n"))) return undefined;
  return { range, newText: isBare ? JSON.stringify(replaced) : replaced };
}

// The text may have changed since the diagnostic was found, so that a different one is at its range.
function isAbout(written: string, from: string): boolean {
  if (!written.startsWith("${")) return written.replace(/^(["'])(.*)\1$/s, "$2") === from;
  const [part] = parseText(written);
  if (typeof part !== "object" || part.source !== written) return false;
  if (written.startsWith(`\${${from}/`)) return true;
  return written.startsWith(from) || written.includes(`\${${from}}`) || written.endsWith(`:${from}}`);
}

// The parser notices the mistake somewhere inside the expression.
function nearestTo(offset: number, text: string, wanted: string): number {
  const from = text.lastIndexOf("\n", offset - 1) + 1;
  const line = text.slice(from).split("\n", 1)[0] ?? "";
  const at = line.indexOf(wanted);
  return at === -1 || /["']/.test(line[at - 1] ?? "") ? -1 : from + at;
}
