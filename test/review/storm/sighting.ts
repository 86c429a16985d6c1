import type { Trace } from "./hidden-danger.js";

/** Where in a rendered plan a danger is seen, and what of it is not. */
export interface Sighting {
  /** The line from which all of it has been seen, counted from 1; undefined if that is never. */
  readonly line?: number;
  /** What is nowhere near a name, and where else it is. */
  readonly missing: readonly string[];
}

/** How far from a name what is shown of it may be, in lines: the difference of one edit. */
const near = 40;

/** Finds a danger in the lines of a plan's Markdown. */
export function sightingOf(markdown: string, { names, shows, within = near }: Trace): Sighting {
  const lines = markdown.split("\n").map(unescaped);
  const open = unfolded(lines);
  const named = linesWith(lines, names);
  const [first] = shows;
  const shown = first === undefined ? [] : linesWith(open, [first]);
  const tries = named.flatMap((at) => {
    const places = shown.filter((place) => Math.abs(place - at) <= near);
    if (places.length === 0) return [{ line: Infinity, missing: shows }];
    return places.map((place) => {
      const found = shows.map((words) => nearest(open, words, place, within));
      const missing = shows.filter((_, index) => found[index] === undefined);
      return { line: Math.max(...found.map((index) => index ?? Infinity)) + 1, missing };
    });
  });
  const [best] = tries.toSorted(
    (one, other) => one.missing.length - other.missing.length || one.line - other.line,
  );
  if (!best) return { missing: [`none of ${names.join(", ")} is named`] };
  if (best.missing.length === 0) return { line: best.line, missing: [] };
  return {
    missing: best.missing.map((words) => `${shortened(words)} ${whereabouts(lines, open, words)}`),
  };
}

function linesWith(lines: readonly string[], words: readonly (string | RegExp)[]): number[] {
  return lines.flatMap((line, index) => (words.some((each) => has(line, each)) ? [index] : []));
}

function nearest(lines: readonly string[], words: string | RegExp, place: number, within: number) {
  for (let away = 0; away <= within; away++)
    for (const index of [place - away, place + away]) if (has(lines[index] ?? "", words)) return index;
  return undefined;
}

const shortened = (words: string | RegExp): string =>
  String(words).length > 120 ? `${String(words).slice(0, 120)}…` : String(words);

function whereabouts(lines: readonly string[], open: readonly string[], words: string | RegExp): string {
  const index = lines.findIndex((line) => has(line, words));
  if (index === -1) return "is nowhere";
  return has(open[index] ?? "", words)
    ? `is not near a name, but in line ${index + 1}`
    : `is folded, in line ${index + 1}`;
}

/** Gives the lines, with nothing in the place of those that are only seen when they are unfolded. */
function unfolded(lines: readonly string[]): string[] {
  let depth = 0;
  return lines.map((line, index) => {
    const before = depth;
    // The title has numbers of all that there is.
    if (index === 0) return "";
    depth += count(line, "<details") - count(line, "</details");
    return before > 0 || depth > 0 ? "" : line;
  });
}

const count = (line: string, part: string): number => line.split(part).length - 1;

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#124;": "|",
};

/** Gives a line as a reader has it before the eyes: without what Markdown needs around it. */
function unescaped(line: string): string {
  return line
    .replace(/&(?:amp|lt|gt|quot|#124);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/`+/g, "");
}

/** Whether a line says something. */
export function has(line: string, words: string | RegExp): boolean {
  return typeof words === "string" ? line.includes(words) : words.test(line);
}
