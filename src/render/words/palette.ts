import picocolors from "picocolors";

type Paint = (text: string) => string;

/** The colours of a terminal by what they mean; each leaves the text as it is when colour is off. */
export interface Palette {
  readonly added: Paint;
  readonly removed: Paint;
  readonly changed: Paint;
  /** Replacements, and what is not known. */
  readonly grave: Paint;
  /** What only gives context. */
  readonly dim: Paint;
  /** The words of a line that changed. */
  readonly word: Paint;
}

/** Gives the palette. */
export function paletteOf(color: boolean): Palette {
  const { green, red, yellow, magenta, dim, inverse } = picocolors.createColors(color);
  return { added: green, removed: red, changed: yellow, grave: magenta, dim, word: inverse };
}
