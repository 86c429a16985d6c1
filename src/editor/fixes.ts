import type { Fix } from "../core/finding/said.js";
import { parseText } from "../core/expression/expression.js";
import type { Range } from "../core/position/range.js";
import type { TextPlace } from "./find-names.js";
import type { OfferedChange } from "./lifecycle-changes.js";

/** Gives the change that a diagnostic at a range of a text proposes, if the text is still the one it is about. */
export function correctionOf(
  { file, text, range }: TextPlace,
  { type, from, to }: Fix,
): OfferedChange | undefined {
  if (from === undefined || to === undefined) return undefined;
  const written = text.slice(range.start, range.end);
  const offered = (title: string, at: Range, newText: string): OfferedChange => ({
    title,
    change: { file, text, range: at, newText },
  });
  if (type === "quote") {
    const start = nearestTo(range.start, text, from);
    const at = { start, end: start + from.length };
    return start === -1 ? undefined : offered("Put it in quotes", at, to);
  }
  if (type === "escape") {
    if (!written.startsWith(from)) return undefined;
    const at = { start: range.start, end: range.start };
    return offered("Send the text itself: write $${", at, "$");
  }
  if (!written.includes(from) || (type === "change" && !isAbout(written, from))) return undefined;
  const replaced = written.replace(from, () => to);
  if (type === "change") return offered(`Change to ${replaced}`, range, replaced);
  // What is in quotes stays there, and what is not needs them in brackets or braces.
  const newText = /^["']/.test(written) ? replaced : JSON.stringify(replaced);
  return offered(`Write ${to}`, range, newText);
}

// The text may have changed since the diagnostic was found, so that a different one is at its range.
function isAbout(written: string, from: string): boolean {
  if (!written.startsWith("${")) return written.replace(/^(["'])(.*)\1$/s, "$2") === from;
  const [part] = parseText(written);
  if (typeof part !== "object" || part.source !== written) return false;
  if (written.startsWith(`\${${from}/`)) return true;
  return written.startsWith(from) || written === `\${${from}}` || written.endsWith(`:${from}}`);
}

// The parser notices the mistake somewhere inside the expression.
function nearestTo(offset: number, text: string, wanted: string): number {
  const from = text.lastIndexOf("\n", offset - 1) + 1;
  const line = text.slice(from).split("\n", 1)[0] ?? "";
  const at = line.indexOf(wanted);
  return at === -1 || /["']/.test(line[at - 1] ?? "") ? -1 : from + at;
}
