import type { KindName } from "../../generated/kinds.js";

const nameInText = /\bname["']?[ \t]*:[ \t]*["']?([A-Za-z0-9][A-Za-z0-9._-]*)?(\$\{each:)?/g;
const parameter = /\$\{each:[^}]*\}/;
const mostForms = 100;

/** The unread part of a workspace; a reference into it is not an error of its own. */
export interface Unread {
  /** Files that could not be read. */
  readonly files: readonly string[];
  /** Whether whole folders could not be read, so that their documents are unknown. */
  readonly folders: boolean;
}

/** The kind and name in a document with errors; with `for_each` the name has parameters. */
export interface LostDocument {
  readonly kind?: KindName;
  readonly name?: string;
}

/** Gives the address of such a document; undefined if it does not say, or may have many. */
export function addressOfLost({ kind, name }: LostDocument): string | undefined {
  if (kind === undefined || name === undefined || parameter.test(name)) return undefined;
  return `${kind}:${name}`;
}

/** How the names begin and end that a document with `for_each` makes. */
interface NamePattern {
  readonly start: string;
  readonly end: string;
}

/** The documents that could not be used; a reference to one of them is not an error of its own. */
export class LostDocuments {
  /** Whether every document was at least parsed. */
  isAllRead: boolean;
  readonly #addresses = new Set<string>();
  readonly #names = new Set<string>();
  readonly #forms = new Map<string, NamePattern>();
  readonly #kinds = new Set<KindName | undefined>();

  constructor(private readonly unread: Unread) {
    this.isAllRead = unread.files.length === 0 && !unread.folders;
    // Only the name of such a file is known, and most are named after their document.
    for (const file of unread.files) this.#names.add(file.replace(/^.*\//, "").replace(/\.ya?ml$/i, ""));
  }

  /** Adds the text of a document that could not be parsed. */
  addText(text: string): void {
    this.isAllRead = false;
    for (const [, name = "", each] of text.matchAll(nameInText)) {
      if (each !== undefined) this.#addForm({ start: name, end: "" });
      else if (name !== "") this.#names.add(name);
    }
  }

  /** Adds a parsed document with errors. */
  addDocument(document: LostDocument): void {
    this.#kinds.add(document.kind);
    const address = addressOfLost(document);
    if (address !== undefined) this.#addresses.add(address);
    else if (document.name !== undefined) this.#addName(document.name);
  }

  #addName(name: string): void {
    const [start = "", ...rest] = name.split(parameter);
    if (rest.length === 0) this.#names.add(name);
    else this.#addForm({ start, end: rest.at(-1) ?? "" });
  }

  #addForm(form: NamePattern): void {
    this.#forms.set(JSON.stringify(form), form);
  }

  /** The addresses of those that say theirs. */
  get addresses(): ReadonlySet<string> {
    return this.#addresses;
  }

  /** Whether one of them may have a kind. */
  mayBeOf(kind: KindName): boolean {
    return !this.isAllRead || this.#kinds.has(kind) || this.#kinds.has(undefined);
  }

  /** Whether an address may be that of such a document. */
  mayHold(address: string): boolean {
    const name = address.slice(address.indexOf(":") + 1);
    return (
      this.unread.folders ||
      this.#addresses.has(address) ||
      this.#names.has(name) ||
      // With very many forms each address is likely to have one.
      this.#forms.size > mostForms ||
      [...this.#forms.values()].some(({ start, end }) => name.startsWith(start) && name.endsWith(end))
    );
  }
}
