/**
 * A lock's text of which only parts are read: a string, or bytes that are decoded when needed. Offsets are in the
 * text's own units, such as UTF-16 code units of a string; `slice` takes what `indexOf` gives.
 */
export interface LockText {
  readonly length: number;
  /** Gives the offset of a part at or after an offset, or -1. */
  indexOf(part: string, from: number): number;
  startsWith(part: string, at: number): boolean;
  slice(from: number, to: number): string;
}

/** Finds the serial in the text of a rendered lock, or of what takes its place, without parsing it. */
export function serialIn(text: string): number | undefined {
  // Each member of the whole has a line of its own, and nothing inside of them is indented so little.
  const [, serial] = /^ {2}"serial": (\d{1,16}),?$/m.exec(text) ?? [];
  return serial === undefined ? undefined : Number(serial);
}
