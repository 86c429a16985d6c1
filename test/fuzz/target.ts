/** Something that takes texts from outside, with texts to start from. */
export interface Target {
  readonly corpus: readonly string[];
  /** Takes a text; may find it wrong in any way, and must not throw. */
  run(text: string): void;
}
