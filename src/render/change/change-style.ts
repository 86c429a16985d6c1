import type { Palette } from "../words/palette.js";

/** How the changes of one action are rendered. */
export interface ChangeStyle {
  readonly palette: Palette;
  /** About how many columns a value may take. */
  readonly width: number;
  /** Whether each new field takes one line, as in a create. */
  readonly compact: boolean;
  /** Says what happens to what a reference stands for, such as `gets a new ID`. */
  readonly fateOf: (reference: string) => string;
}
