/** Where the words for a value come from: names of a workspace, files of the folder, or nowhere but from its own list. */
export type WordSource =
  | "address"
  | "command"
  | "environment"
  | "file"
  | "folder"
  | "label"
  | "list"
  | "none"
  | "retired"
  | "variable";

/** What a value of an option or an argument may be. */
export interface ValueWords {
  /** `list` is several of the words with commas. */
  readonly source: WordSource;
  /** Words beside those of the source. */
  readonly words: readonly string[];
}

/** An option as it is typed. */
export interface OptionWords {
  /** Such as `--environment`. */
  readonly long: string;
  /** Such as `-e`. */
  readonly short?: string;
  readonly about: string;
  /** Missing where it takes no value. */
  readonly value?: ValueWords;
  readonly isRepeatable: boolean;
}

/** An argument as it is typed. */
export interface ArgumentWords {
  readonly value: ValueWords;
  readonly isVariadic: boolean;
}

/** A command as it is typed: one with commands below it, or one with options and arguments. */
export interface CommandWords {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly CommandWords[];
  readonly options: readonly OptionWords[];
  readonly arguments: readonly ArgumentWords[];
}
