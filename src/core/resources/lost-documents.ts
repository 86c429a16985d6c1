import type { KindName } from "../../generated/kinds.js";

const nameInText = /\bname["']?[ \t]*:[ \t]*["']?([A-Za-z0-9][A-Za-z0-9._-]*)/g;

/** What of a workspace could not be read, so that a reference into it is no mistake of its own. */
export interface Unread {
  /** Files whose text is not there. */
  readonly files: readonly string[];
  /** Whether whole folders are not there, and nobody knows what they hold. */
  readonly folders: boolean;
}

/** What a document that could not be used says of itself. */
export interface LostDocument {
  readonly kind?: KindName;
  readonly name?: string;
}

/** Gives the address that such a document says it has; undefined where it says none. */
export function addressOfLost({ kind, name }: LostDocument): string | undefined {
  return kind !== undefined && name !== undefined ? `${kind}:${name}` : undefined;
}

/** What is in the workspace and could not be used: a reference to it is no mistake of its own. */
export class LostDocuments {
  /** Whether every document was at least parsed. */
  isAllRead: boolean;
  readonly #addresses = new Set<string>();
  readonly #names = new Set<string>();

  constructor(private readonly unread: Unread) {
    this.isAllRead = unread.files.length === 0 && !unread.folders;
    // Nothing else is known of such a file, and most are named after what they hold.
    for (const file of unread.files) this.#names.add(file.replace(/^.*\//, "").replace(/\.ya?ml$/i, ""));
  }

  /** Adds the text of a document that could not be parsed. */
  addText(text: string): void {
    this.isAllRead = false;
    for (const [, name] of text.matchAll(nameInText)) if (name !== undefined) this.#names.add(name);
  }

  /** Adds a document that was parsed and is in error. */
  addDocument(document: LostDocument): void {
    const address = addressOfLost(document);
    if (address !== undefined) this.#addresses.add(address);
    else if (document.name !== undefined) this.#names.add(document.name);
  }

  /** Whether an address may be that of such a document. */
  mayHold(address: string): boolean {
    const name = address.slice(address.indexOf(":") + 1);
    return this.unread.folders || this.#addresses.has(address) || this.#names.has(name);
  }
}
