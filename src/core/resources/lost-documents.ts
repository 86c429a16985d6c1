import type { KindName } from "../../generated/kinds.js";
import { hasPieces } from "../../json/texts.js";

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

/** The documents that could not be used; a reference to one of them is not an error of its own. */
export class LostDocuments {
  /** Whether every document was at least parsed. */
  isAllRead: boolean;
  readonly #addresses = new Set<string>();
  readonly #names = new Set<string>();
  /** What the names that documents with `for_each` make consist of, beside their parameters. */
  readonly #forms = new Map<string, readonly string[]>();
  readonly #kinds = new Set<KindName | undefined>();

  constructor(private readonly unread: Unread) {
    this.isAllRead = unread.files.length === 0 && !unread.folders;
    // Only the name of such a file is known, and most are named after their document.
    for (const file of unread.files) this.#names.add(file.replace(/^.*\//, "").replace(/\.ya?ml$/i, ""));
  }

  addText(text: string): void {
    this.isAllRead = false;
    for (const [, name = "", each] of text.matchAll(nameInText)) {
      if (each !== undefined) this.#addForm([name, ""]);
      else if (name !== "") this.#names.add(name);
    }
  }

  /** Adds a parsed document with errors. */
  addDocument(document: LostDocument): void {
    this.#kinds.add(document.kind);
    const address = addressOfLost(document);
    if (address !== undefined) this.#addresses.add(address);
    else if (document.name !== undefined) this.#addForm(document.name.split(parameter));
  }

  #addForm(form: readonly string[]): void {
    if (form.length > 1) this.#forms.set(JSON.stringify(form), form);
    else this.#names.add(form.join(""));
  }

  /** The addresses of those that say theirs. */
  get addresses(): ReadonlySet<string> {
    return this.#addresses;
  }

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
      [...this.#forms.values()].some((form) => hasPieces(name, form))
    );
  }
}
