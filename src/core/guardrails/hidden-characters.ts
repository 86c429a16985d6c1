import { emojiSelectors, invisible, rightToLeft } from "../finding/invisible.js";

/** A run of characters that a reader does not see, that change the order of what is seen, or push it out of sight. */
export interface HiddenRun {
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
    const before = Array.from(line.slice(Math.max(0, index - 2), index)).at(-1) ?? "";
    const next = line.slice(index + run.length);
    const [after = ""] = Array.from(next.slice(0, 2));
    const points = Array.from(run);
    if (onlyBlanks.test(run) && columnsOf(points) < screen) return [];
    const isOrdinaryHere = (point: string, place: number): boolean =>
      isOrdinary(point, {
        before: points[place - 1] ?? before,
        next: points[place + 1] ?? after,
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
        isGrave: points.some((point) => grave.test(point)),
        line,
      },
    ];
  });
}

function columnsOf(points: readonly string[]): number {
  return points.reduce((sum, point) => sum + (point === "\t" ? 8 : point === "\u3000" ? 2 : 1), 0);
}

// Scripts whose letters are joined or kept apart, that have no spaces between words, and that choose among forms.
const joined =
  /[\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\u1900-\u1cff\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc\u{11000}-\u{11fff}]/u;
const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/;
const ideograph = /[\u2e80-\u9fff\u{20000}-\u{3ffff}]/u;
const mongolian = /[\u1800-\u18af]/;
// A selector may stand between an emoji and what joins it.
const emoji = /\ufe0f|[\xa9\xae\u203c-\u3299\u{1f000}-\u{1faff}]/u;
const keycap = /[#*0-9]/;
const grave = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e0fff}]/u;

/** The characters around one; empty where there is none. */
interface Around {
  readonly before: string;
  readonly next: string;
  readonly isRightToLeft: boolean;
}

function isOrdinary(point: string, { before, next, isRightToLeft }: Around): boolean {
  switch (point) {
    // Joiners: within emoji, and in the scripts whose letters they join or keep apart.
    case "\u200d":
      return (emoji.test(before) && emoji.test(next)) || joined.test(before);
    case "\u200c":
      return joined.test(before);
    // Where words have no spaces, it says where a line may end.
    case "\u200b":
      return unspaced.test(before);
    case "\u200e":
    case "\u200f":
    case "\u061c":
      return isRightToLeft;
    case "\ufe0e":
    case "\ufe0f":
      return emoji.test(before) || keycap.test(before);
  }
  // Directions that end where they begin are ordinary in such text, but for those that override it.
  if (/[\u202a-\u202c\u2066-\u2069]/.test(point)) return isRightToLeft;
  if (/[\ufe00-\ufe0d\u{e0100}-\u{e01ef}]/u.test(point)) return ideograph.test(before);
  return /[\u180b-\u180f]/.test(point) && mongolian.test(before);
}

const flag = "\u{1f3f4}";
// The only flags of regions that are in use.
const regions: ReadonlySet<string> = new Set(["gbeng", "gbsct", "gbwls"]);

function isFlag(before: string, points: readonly string[]): boolean {
  return before === flag && regions.has(spelt(points)) && points.length === 6;
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

function isIn(point: number, [from, to]: readonly [from: number, to: number]): boolean {
  return point >= from && point <= to;
}
