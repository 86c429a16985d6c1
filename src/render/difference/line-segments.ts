import { diffWordsWithSpace } from "diff";
import { headOf, tailOf } from "../words/cut-text.js";
import { escapeCharacter, safeDifference } from "../words/terminal-text.js";

/** A part of a line, safe to show in any format; tabs that did not change are kept. */
export interface Segment {
  readonly text: string;
  /** Whether the part differs from the line that this one is paired with. */
  readonly changed: boolean;
}

// Only what did not change is ever shortened: lines around a change, and of a line of many pages what is far from it.
const longestContext = 120;
const longestLine = 4000;
const margin = 500;

/** Gives the segments of a line that did not change, shortened if it is long. */
export function contextSegments(line: string): Segment[] {
  if (line === "") return [];
  const isLong = line.length > longestContext;
  const text = isLong ? `${safeDifference(headOf(line, longestContext))}…` : safeDifference(line);
  return [{ text, changed: false }];
}

/** Gives the segments of a removed or added line that is paired with no other: the whole line. */
export function loneSegments(line: string): Segment[] {
  return line === "" ? [] : [{ text: showChanged(line, true), changed: false }];
}

/** Gives the segments of a line's two versions by words; undefined beyond `maxEdits` different words. */
export function pairedSegments(
  before: string,
  after: string,
  maxEdits: number,
): readonly [Segment[], Segment[]] | undefined {
  const words = diffWordsWithSpace(before, after, { maxEditLength: maxEdits });
  if (!words) return undefined;
  const side = (without: "added" | "removed"): Segment[] => {
    const parts = words
      .filter((word) => !word[without])
      .map((word) => ({ text: word.value, changed: word.added || word.removed }));
    return showParts(parts);
  };
  return [side("added"), side("removed")];
}

function showParts(parts: readonly Segment[]): Segment[] {
  const isLong = parts.reduce((length, { text }) => length + text.length, 0) > longestLine;
  return parts.map(({ text, changed }, index) => {
    const isLast = index === parts.length - 1;
    if (changed) return { changed, text: showChanged(text, isLast) };
    return { changed, text: isLong ? shortened(text, index > 0, !isLast) : safeDifference(text) };
  });
}

function shortened(text: string, keepHead: boolean, keepTail: boolean): string {
  const kept = (keepHead ? margin : 0) + (keepTail ? margin : 0);
  if (text.length <= kept + 1) return safeDifference(text);
  const head = keepHead ? safeDifference(headOf(text, margin)) : "";
  return `${head}…${keepTail ? safeDifference(tailOf(text, margin)) : ""}`;
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
