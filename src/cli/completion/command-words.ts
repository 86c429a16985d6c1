import type { HelpAnswer } from "../../generated/help.js";

/** Where the words for a value come from: names of a workspace, files of the folder, or only its own list. */
export type WordSource =
  | "address"
  | "command"
  | "environment"
  | "file"
  | "folder"
  | "label"
  | "list"
  | "retired"
  | "variable";

/** What a value of an option or an argument may be. */
export interface ValueWords {
  /** `list` is several of the words with commas; missing where nothing is known but the words. */
  readonly source?: WordSource;
  /** Words beside those of the source. */
  readonly words: string[];
}

/** An option as it is typed: a part of what the help tells programs of it. */
export interface OptionWords extends Readonly<
  Pick<HelpAnswer["common_options"][number], "long" | "short" | "about" | "repeatable">
> {
  /** Missing where it takes no value. */
  readonly value?: ValueWords;
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
