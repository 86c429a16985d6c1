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
export function sightingOf(markdown: string, { names, shows }: Trace): Sighting {
  const lines = markdown.split("\n").map(unescaped);
  const open = unfolded(lines);
  const named = lines.flatMap((line, index) => (names.some((name) => has(line, name)) ? [index] : []));
  const tries = named.map((at) => {
    const found = shows.map((words) => {
      const from = Math.max(0, at - near);
      const index = open.slice(from, at + near).findIndex((line) => has(line, words));
      return index === -1 ? undefined : from + index;
    });
    const missing = shows.filter((_, index) => found[index] === undefined);
    return { missing, line: Math.max(...found.map((index) => index ?? Infinity)) + 1 };
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
