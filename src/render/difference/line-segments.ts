import { diffWordsWithSpace } from "diff";
import { headOf, tailOf } from "../words/cut-text.js";
import { escapeCharacter, safeDifference } from "../words/terminal-text.js";

/** A part of a line, safe to show in any format; tabs that did not change are kept. */
export interface Segment {
  readonly text: string;
  /** Whether the part differs from the line that this one is paired with. */
  readonly changed: boolean;
}

/** Gives the segments of a line that did not change, cut at `width`. */
export function contextSegments(line: string, width: number): Segment[] {
  if (line === "") return [];
  const text = line.length > width ? `${safeDifference(headOf(line, width))}…` : safeDifference(line);
  return [{ text, changed: false }];
}

/** Gives the segments of a removed or added line that is paired with no other. */
export function loneSegments(line: string, width: number): Segment[] {
  if (line === "") return [];
  return [{ text: cutChanged(line, width, (text, isEnd) => showChanged(text, isEnd)), changed: false }];
}

/**
 * Gives the segments of a removed line and of the added line that stands for it, by words; undefined if they
 * differ in more than `maxEdits` words.
 */
export function pairedSegments(
  before: string,
  after: string,
  { width, maxEdits }: { readonly width: number; readonly maxEdits: number },
): readonly [Segment[], Segment[]] | undefined {
  const words = diffWordsWithSpace(before, after, { maxEditLength: maxEdits });
  if (!words) return undefined;
  const side = (without: "added" | "removed"): Segment[] => {
    const parts = words
      .filter((word) => !word[without])
      .map((word) => ({ text: word.value, changed: word.added || word.removed }));
    return showParts(parts, width);
  };
  return [side("added"), side("removed")];
}

function showParts(parts: readonly Segment[], width: number): Segment[] {
  const isLong = parts.reduce((length, { text }) => length + text.length, 0) > width;
  const margin = Math.max(20, Math.floor(width / 4));
  return parts.map(({ text, changed }, index) => {
    const isLast = index === parts.length - 1;
    if (changed)
      return { changed, text: cutChanged(text, width, (part, end) => showChanged(part, isLast && end)) };
    return { changed, text: isLong ? cutUnchanged(text, margin, index > 0, !isLast) : safeDifference(text) };
  });
}

function cutUnchanged(text: string, margin: number, keepHead: boolean, keepTail: boolean): string {
  const kept = (keepHead ? margin : 0) + (keepTail ? margin : 0);
  if (text.length <= kept + 1) return safeDifference(text);
  const head = keepHead ? safeDifference(headOf(text, margin)) : "";
  return `${head}…${keepTail ? safeDifference(tailOf(text, margin)) : ""}`;
}

function cutChanged(text: string, width: number, show: (text: string, isEnd: boolean) => string): string {
  const [head, tail] = [width * 3, width];
  if (text.length <= head + tail) return show(text, true);
  const left = text.length - head - tail;
  return `${show(headOf(text, head), false)}…(${left} characters)…${show(tailOf(text, tail), true)}`;
}

// Spaces that are the change, or that stand unseen at the end of a changed line, have to be seen.
function showChanged(text: string, isEnd: boolean): string {
  const end = isEnd ? text.trimEnd().length : text.length;
  if (text.trim() === "") return showSpaces(text);
  return safeDifference(text.slice(0, end)) + showSpaces(text.slice(end));
}

function showSpaces(text: string): string {
  return text.replace(/\s/gu, (char) => (char === " " ? "·" : char === "\t" ? "→" : escapeCharacter(char)));
}
