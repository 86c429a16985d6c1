/**
 * The text of a lock or journal, of which only parts are read: a string, or bytes that are decoded when needed. Offsets
 * are in the text's own units, such as UTF-16 code units of a string; `slice` takes what `indexOf` gives.
 */
export interface StateText {
  readonly length: number;
  /** Gives the offset of a part at or after an offset, or -1. */
  indexOf(part: string, from: number): number;
  startsWith(part: string, at: number): boolean;
  /** Gives a part of at most `longestText`. */
  slice(from: number, to: number): string;
}

/** A text in pieces, to be read once; a lock may be longer than a string can be. */
export type TextPieces = Iterable<string>;

/** The longest text that is made, or read, as one string; the limit of V8 is 536 million characters. */
export const longestText = 500_000_000;

/** Gives the pieces of a text, which may be a single string. */
export function piecesOf(text: TextPieces): TextPieces {
  // The pieces of a string would be its characters.
  return typeof text === "string" ? [text] : text;
}

/** Joins pieces to one string; undefined if it would be longer than `longestText`. */
export function joinPieces(text: TextPieces): string | undefined {
  const pieces: string[] = [];
  let length = 0;
  for (const piece of piecesOf(text)) {
    length += piece.length;
    if (length > longestText) return undefined;
    pieces.push(piece);
  }
  return pieces.join("");
}

/** Gives a text as one string; undefined if it is longer than `longestText`. */
export function wholeText(text: StateText): string | undefined {
  return text.length > longestText ? undefined : text.slice(0, text.length);
}

/** A line of a text, without its end. */
export interface TextLine {
  /** Empty if it is too long. */
  readonly text: string;
  /** Whether it is longer than `longestText`. */
  readonly isTooLong: boolean;
  /** Whether nothing follows it. */
  readonly isLast: boolean;
  /** Whether it has its end. */
  readonly isComplete: boolean;
}

/** Gives the lines of a text, one at a time. */
export function* linesOf(text: StateText): Generator<TextLine> {
  for (let at = 0; at < text.length;) {
    const found = text.indexOf("\n", at);
    const end = found === -1 ? text.length : found;
    const isTooLong = end - at > longestText;
    const line = isTooLong ? "" : text.slice(at, end);
    yield { text: line, isTooLong, isLast: end + 1 >= text.length, isComplete: found !== -1 };
    at = end + 1;
  }
}

function* completeLines(text: StateText): Generator<TextLine> {
  for (const line of linesOf(text)) if (line.isComplete) yield line;
}

/** Whether two texts have the same complete lines, whatever keeps them. */
export function haveSameLines(one: StateText, other: StateText): boolean {
  if (typeof one === "string" && typeof other === "string") return one === other;
  const others = completeLines(other);
  for (const { text, isTooLong } of completeLines(one)) {
    const next = others.next();
    if (next.done === true || isTooLong || next.value.text !== text) return false;
  }
  return others.next().done === true;
}

/** Finds the serial in the text of a rendered lock, or of what takes its place, without parsing it. */
export function serialIn(text: StateText): number | undefined {
  // Each member of the whole has a line of its own, and nothing inside of them is indented so little.
  const at = text.indexOf('\n  "serial": ', 0);
  if (at === -1) return undefined;
  const [, serial] = /^\n {2}"serial": (\d{1,16}),?(?:\n|$)/.exec(text.slice(at, at + 40)) ?? [];
  return serial === undefined ? undefined : Number(serial);
}
