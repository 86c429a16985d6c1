import { emojiSelectors, invisible } from "../finding/invisible.js";

/** A run of characters that a reader does not see, that change the order of what is seen, or push it out of sight. */
export interface HiddenRun {
  /** The run itself. */
  readonly text: string;
  /** Each of its characters once, such as `U+200B`. */
  readonly characters: readonly string[];
  readonly count: number;
  /** What is before it in its line, at most 30 characters. */
  readonly after: string;
  /** What tags or selectors say in ASCII. */
  readonly spells?: string;
  /** Whether it has tags, or changes the order of what is seen. */
  readonly isGrave: boolean;
  /** The line that it is in. */
  readonly line: string;
}

// Line ends and tabs are ordinary, and so are blanks that are not as wide as a screen, in the columns that viewers give
// them. Fewer than ten never are.
const screen = 80;
const blank = "[\\t \\xa0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]";
const anyHidden = new RegExp(
  `(?![\\t\\n\\r])[${invisible}${emojiSelectors}]{1,1000000}|(?<!${blank})${blank}{10,1000000}`,
  "gu",
);
const ascii = /^[\t\n\r\x20-\x7e]*$/;
const wideBlank = /(?<![\t ])[\t ]{80}|\t[\t ]{4}|[\t ]{4}\t/;
const onlyBlanks = new RegExp(`^${blank}*$`);

/** Whether a text is plain ASCII in which nothing is hidden, as far as that can be seen at once. */
export function isPlain(text: string): boolean {
  return ascii.test(text) && !wideBlank.test(text);
}

/** Finds what is hidden in a text; takes time in proportion to its length. */
export function hiddenRuns(text: string): HiddenRun[] {
  if (isPlain(text)) return [];
  return text.split(/\r\n|[\n\r]/).flatMap(runsInLine);
}

function runsInLine(line: string): HiddenRun[] {
  if (isPlain(line)) return [];
  const isRightToLeft = rightToLeft.test(line);
  return [...line.matchAll(anyHidden)].flatMap(({ 0: run, index }) => {
    const [before, next] = [
      lastOf(line.slice(Math.max(0, index - 2), index)),
      line.slice(index + run.length),
    ];
    const points = Array.from(run);
    if (onlyBlanks.test(run) && columnsOf(points) < screen) return [];
    const isOrdinaryHere = (point: string, place: number): boolean =>
      isOrdinary(point.codePointAt(0) ?? 0, {
        before: points[place - 1]?.codePointAt(0) ?? before,
        next: points[place + 1]?.codePointAt(0) ?? next.codePointAt(0) ?? 0,
        isRightToLeft,
      });
    if (isFlag(before, points) || points.every(isOrdinaryHere)) return [];
    // Behind a line, they hide nothing.
    if (next === "" && run.trim() === "") return [];
    const spells = spelt(points);
    return [
      {
        text: run,
        characters: [...new Set(points.map(nameOf))],
        count: points.length,
        after: Array.from(line.slice(Math.max(0, index - 60), index).replaceAll(anyHidden, ""))
          .slice(-30)
          .join(""),
        ...(spells !== "" && { spells }),
        isGrave: points.some((point) => isGrave(point.codePointAt(0) ?? 0)),
        line,
      },
    ];
  });
}

function columnsOf(points: readonly string[]): number {
  return points.reduce((sum, point) => sum + (point === "\t" ? 8 : point === "\u3000" ? 2 : 1), 0);
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** The code points around a character; 0 where there is none. */
interface Around {
  readonly before: number;
  readonly next: number;
  readonly isRightToLeft: boolean;
}

function isOrdinary(point: number, { before, next, isRightToLeft }: Around): boolean {
  switch (point) {
    // Joiners: within emoji, and in the scripts whose letters they join or keep apart.
    case 0x200d:
      return (isEmoji(before) && isEmoji(next)) || isJoining(before);
    case 0x200c:
      return isJoining(before);
    // Where words have no spaces, it says where a line may end.
    case 0x200b:
      return isIn(before, [0x0e00, 0x0eff], [0x1000, 0x109f], [0x1780, 0x17ff]);
    case 0x200e:
    case 0x200f:
    case 0x061c:
      return isRightToLeft;
    case 0xfe0e:
    case 0xfe0f:
      return isEmoji(before) || isKeycap(before);
  }
  // Directions that end where they begin are ordinary in such text, but for those that override it.
  if (isIn(point, [0x202a, 0x202c], [0x2066, 0x2069])) return isRightToLeft;
  if (isIn(point, [0xfe00, 0xfe0d], [0xe0100, 0xe01ef]))
    return isIn(before, [0x2e80, 0x9fff], [0x20000, 0x3ffff]);
  return isIn(point, [0x180b, 0x180f]) && isIn(before, [0x1800, 0x18af]);
}

function isJoining(point: number): boolean {
  return isIn(
    point,
    [0x0600, 0x08ff],
    [0x0900, 0x0dff],
    [0x0f00, 0x109f],
    [0x1780, 0x18af],
    [0x1900, 0x1cff],
    [0xa800, 0xabff],
    [0xfb50, 0xfdff],
    [0xfe70, 0xfefc],
    [0x11000, 0x11fff],
  );
}

// A selector may stand between an emoji and what joins it.
function isEmoji(point: number): boolean {
  return (
    point === 0xa9 || point === 0xae || isIn(point, [0x203c, 0x3299], [0xfe0f, 0xfe0f], [0x1f000, 0x1faff])
  );
}

function isKeycap(point: number): boolean {
  return point === 0x23 || point === 0x2a || isIn(point, [0x30, 0x39]);
}

const flag = 0x1f3f4;
// The only flags of regions that are in use.
const regions: ReadonlySet<string> = new Set(["gbeng", "gbsct", "gbwls"]);

function isFlag(before: number, points: readonly string[]): boolean {
  return before === flag && regions.has(spelt(points)) && points.length === 6;
}

function isGrave(point: number): boolean {
  return isIn(point, [0x202a, 0x202e], [0x2066, 0x2069], [0xe0000, 0xe0fff]);
}

// A tag stands for an ASCII character, and a selector for a byte.
function spelt(points: readonly string[]): string {
  const letters = points.map((point) => {
    const code = point.codePointAt(0) ?? 0;
    if (isIn(code, [0xe0020, 0xe007e])) return code - 0xe0000;
    if (isIn(code, [0xfe00, 0xfe0f])) return code - 0xfe00;
    return isIn(code, [0xe0100, 0xe01ef]) ? code - 0xe0100 + 16 : 0;
  });
  return letters.map((code) => (isIn(code, [0x20, 0x7e]) ? String.fromCodePoint(code) : "")).join("");
}

function nameOf(point: string): string {
  return `U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function lastOf(text: string): number {
  return Array.from(text).at(-1)?.codePointAt(0) ?? 0;
}

function isIn(point: number, ...ranges: readonly (readonly [from: number, to: number])[]): boolean {
  return ranges.some(([from, to]) => point >= from && point <= to);
}
