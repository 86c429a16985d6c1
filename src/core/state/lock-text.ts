/**
 * A lock's text, of which parts are looked at: a string, or bytes that are decoded where they are needed. Offsets
 * are the text's own, such as UTF-16 code units of a string; what `indexOf` finds, `slice` gives.
 */
export interface LockText {
  readonly length: number;
  /** Gives where a part begins at or after an offset, or -1. */
  indexOf(part: string, from: number): number;
  startsWith(part: string, at: number): boolean;
  slice(from: number, to: number): string;
}
