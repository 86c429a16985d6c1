/** A word or a phrase, and what it means. */
export type HelpRow = readonly [term: string, meaning: string];

/** A part of a page: a paragraph, terms with their meaning, or lines that are shown as they are, such as a file. */
export type HelpBlock =
  | string
  | { readonly rows: readonly HelpRow[] }
  | { readonly lines: readonly string[]; readonly file?: string };

export interface HelpSection {
  readonly title: string;
  readonly blocks: readonly HelpBlock[];
}

/** A page of the help, which is printed, and is a page of the manual too. */
export interface Page {
  /** The command or the topic, such as `agentform lock show`. */
  readonly name: string;
  readonly summary: string;
  /** How the command line of a command is written. */
  readonly usage?: string;
  /** What comes before the first section. */
  readonly about: readonly HelpBlock[];
  readonly sections: readonly HelpSection[];
}
