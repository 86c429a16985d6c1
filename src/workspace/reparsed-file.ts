import type { FileSummary, ParsedFile, ResourceDetails } from "../core/resources/parsed-file.js";
import type { Resource } from "../core/resources/resource.js";
import type { FileParser } from "./file-parser.js";

/** A parsed file whose details go when nobody has them: most are asked for no more than their summary. */
export class ReparsedFile implements ParsedFile {
  resources?: readonly Resource[];
  #made: WeakRef<readonly ResourceDetails[]> | undefined;
  /** Itself, as the outcome of reading the file. */
  readonly outcome: { readonly ok: true; readonly parsed: ReparsedFile } = { ok: true, parsed: this };

  constructor(
    readonly summary: FileSummary,
    private readonly bytes: Uint8Array | undefined,
    private parser: FileParser,
  ) {}

  /** Takes the parser of a later load with the same inputs: each keeps what its load knew of the whole folder. */
  parseWith(parser: FileParser): this {
    this.parser = parser;
    return this;
  }

  details(): readonly ResourceDetails[] {
    const known = this.#made?.deref();
    if (known) return known;
    const made = this.parser.parseAgain(this.summary, this.bytes);
    this.#made = new WeakRef(made);
    return made;
  }
}
