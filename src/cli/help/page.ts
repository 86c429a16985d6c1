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

declare const AGENTFORM_DOCUMENTS: string | undefined;

// With PAGE for the path of a document, if the package names its site or its repository.
const address = typeof AGENTFORM_DOCUMENTS === "string" ? AGENTFORM_DOCUMENTS : undefined;

/** Makes the last section of a page: further commands, and the files of `docs` that explain more. */
export function learnMore(documents: readonly string[], rows: readonly HelpRow[] = []): HelpSection {
  const places = placesOf(documents);
  return { title: "Learn more", blocks: rows.length > 0 ? [{ rows }, ...places] : places };
}

function placesOf(documents: readonly string[]): string[] {
  if (address !== undefined)
    return documents.map((file) => address.replace("PAGE", file.replace(/\.md$/, "")));
  return [`${documents.map((file) => `docs/${file}`).join(", ")} in the package of agentform`];
}
