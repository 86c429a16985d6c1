import type { KindName } from "../../generated/kinds.js";

const nameInText = /\bname["']?[ \t]*:[ \t]*["']?([A-Za-z0-9][A-Za-z0-9._-]*)/g;

/** The unread part of a workspace; a reference into it is not an error of its own. */
export interface Unread {
  /** Files that could not be read. */
  readonly files: readonly string[];
  /** Whether whole folders could not be read, so that their documents are unknown. */
  readonly folders: boolean;
}

/** The kind and name in a document with errors. */
export interface LostDocument {
  readonly kind?: KindName;
  readonly name?: string;
}

/** Gives the address of such a document; undefined if it does not say. */
export function addressOfLost({ kind, name }: LostDocument): string | undefined {
  return kind !== undefined && name !== undefined ? `${kind}:${name}` : undefined;
}

/** The documents that could not be used; a reference to one of them is not an error of its own. */
export class LostDocuments {
  /** Whether every document was at least parsed. */
  isAllRead: boolean;
  readonly #addresses = new Set<string>();
  readonly #names = new Set<string>();
  readonly #kinds = new Set<KindName | undefined>();

  constructor(private readonly unread: Unread) {
    this.isAllRead = unread.files.length === 0 && !unread.folders;
    // Only the name of such a file is known, and most are named after their document.
    for (const file of unread.files) this.#names.add(file.replace(/^.*\//, "").replace(/\.ya?ml$/i, ""));
  }

  /** Adds the text of a document that could not be parsed. */
  addText(text: string): void {
    this.isAllRead = false;
    for (const [, name] of text.matchAll(nameInText)) if (name !== undefined) this.#names.add(name);
  }

  /** Adds a parsed document with errors. */
  addDocument(document: LostDocument): void {
    this.#kinds.add(document.kind);
    const address = addressOfLost(document);
    if (address !== undefined) this.#addresses.add(address);
    else if (document.name !== undefined) this.#names.add(document.name);
  }

  /** Whether one of them may have a kind. */
  mayBeOf(kind: KindName): boolean {
    return !this.isAllRead || this.#kinds.has(kind) || this.#kinds.has(undefined);
  }

  /** Whether an address may be that of such a document. */
  mayHold(address: string): boolean {
    const name = address.slice(address.indexOf(":") + 1);
    return this.unread.folders || this.#addresses.has(address) || this.#names.has(name);
  }
}
