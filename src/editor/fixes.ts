import type { Fix } from "../core/finding/said.js";
import { parseText } from "../core/expression/expression.js";
import type { Range } from "../core/position/range.js";

/** A change of a text. */
export interface Correction {
  readonly title: string;
  readonly range: Range;
  readonly newText: string;
}

/** Gives the changes that a diagnostic at a range of a text proposes, as far as the text is still the one it is about. */
export function correctionsOf(text: string, range: Range, fixes: readonly Fix[]): Correction[] {
  return fixes.flatMap((fix) => correctionOf(text, range, fix) ?? []);
}

function correctionOf(text: string, range: Range, { type, from, to }: Fix): Correction | undefined {
  if (from === undefined || to === undefined) return undefined;
  const written = text.slice(range.start, range.end);
  if (type === "quote") {
    const start = nearestTo(range.start, text, from);
    const at = { start, end: start + from.length };
    return start === -1 ? undefined : { title: "Put it in quotes", range: at, newText: to };
  }
  if (type === "escape") {
    if (!written.startsWith(from)) return undefined;
    const at = { start: range.start, end: range.start };
    return { title: "Send the text itself: write $${", range: at, newText: "$" };
  }
  if (!written.includes(from) || (type === "change" && !isAbout(written, from))) return undefined;
  const replaced = written.replace(from, () => to);
  if (type === "change") return { title: `Change to ${replaced}`, range, newText: replaced };
  // What is in quotes stays there, and what is not needs them in brackets or braces.
  const newText = /^["']/.test(written) ? replaced : JSON.stringify(replaced);
  return { title: `Write ${to}`, range, newText };
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
