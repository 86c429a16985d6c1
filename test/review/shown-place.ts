import type { Sight } from "./danger.js";
import { harmlessEdits } from "./harmless-mass.js";

/** What of a rendered plan a reader sees first. */
export interface Screen {
  readonly text: string;
  /** Where the reader has seen enough, as an index into the text. */
  readonly end: number;
  /** The parts that are only seen when they are opened: from, to. */
  readonly folds: readonly (readonly [number, number])[];
  /** Says where in the text a place is. */
  readonly at: (place: number) => string;
}

const markdownBytes = 4000;
const terminalLines = 40;

/** What a reader of Markdown sees first: 4,000 bytes without what is folded. */
export function markdownScreen(text: string): Screen {
  const bytes = (place: number) => Buffer.byteLength(text.slice(0, place));
  const end = Buffer.from(text).subarray(0, markdownBytes).toString().length;
  return {
    text,
    end: Math.min(text.length, end),
    folds: foldsOf(text),
    at: (place) => `byte ${bytes(place)}`,
  };
}

/** What a reader at a terminal sees first: 40 lines. */
export function terminalScreen(text: string): Screen {
  const lines = text.split("\n");
  return {
    text,
    end: lines.slice(0, terminalLines).join("\n").length,
    folds: [],
    at: (place) => `line ${text.slice(0, place).split("\n").length}`,
  };
}

function foldsOf(text: string): [number, number][] {
  const folds: [number, number][] = [];
  let [depth, from] = [0, 0];
  for (const { 0: tag, index } of text.matchAll(/<\/?details\b/g)) {
    if (tag === "<details" && depth++ === 0) from = index;
    if (tag === "</details" && --depth === 0) folds.push([from, index]);
  }
  if (depth > 0) folds.push([from, text.length]);
  return folds;
}

/** How many characters from a named resource its danger may be. */
const near = 1200;

/** Says why a reader of the first screen misses a danger; nothing if everything of it is seen, among the first three. */
export function missed(screen: Screen, { addresses, shows }: Sight): string[] {
  const { text, end } = screen;
  const seen = unfolded(screen);
  const named = addresses.flatMap((address) => placesOf(seen.slice(0, end), address));
  if (named.length === 0) return [`${addresses[0]} is not named (${whereabouts(screen, addresses)})`];
  const partly = named.map((place) => {
    const part = seen.slice(Math.max(0, place - near / 4), Math.min(end, place + near));
    return { place, missing: shows.filter((words) => !has(part, words)) };
  });
  const whole = partly.find(({ missing }) => missing.length === 0);
  if (!whole) {
    const [best] = partly.toSorted((one, other) => one.missing.length - other.missing.length);
    const left = (best?.missing ?? []).map((words) => `${words} (${whereabouts(screen, [words])})`);
    return [`named at ${screen.at(best?.place ?? 0)} without ${left.join(", ")}`];
  }
  // What is said first of a danger may be a part of it.
  const first = partly.find(({ missing }) => missing.length < shows.length) ?? whole;
  const before = harmlessEdits.filter(({ words }) => seen.slice(0, first.place).includes(words));
  if (before.length < 3) return [];
  return [`at ${screen.at(first.place)} of ${text.length}, after ${before.length} harmless edits`];
}

/** Gives what is seen of the first screen. */
export function seenFirst(screen: Screen): string {
  return unfolded(screen).slice(0, screen.end);
}

// Folded parts become blanks, so that places stay what they are.
function unfolded({ text, folds }: Screen): string {
  let seen = text;
  for (const [from, to] of folds) seen = seen.slice(0, from) + " ".repeat(to - from) + seen.slice(to);
  return seen;
}

function placesOf(text: string, words: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) places.push(at);
  return places;
}

function has(text: string, words: string | RegExp): boolean {
  return typeof words === "string" ? text.includes(words) : words.test(text);
}

function whereabouts(screen: Screen, wanted: readonly (string | RegExp)[]): string {
  const { text, folds, at } = screen;
  const places = wanted.map((words) =>
    typeof words === "string" ? text.indexOf(words) : text.search(words),
  );
  const first = Math.min(...places.filter((place) => place !== -1));
  if (first === Infinity) return "nowhere in it";
  const isFolded = folds.some(([from, to]) => from <= first && first < to);
  return `first at ${at(first)}${isFolded ? ", folded" : ""}`;
}
