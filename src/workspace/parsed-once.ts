import type { FieldsByKind } from "../core/kind/extra-fields.js";
import type { FileSummary } from "../core/resources/parsed-file.js";
import type { ReparsedFile } from "./reparsed-file.js";

// What is only in one of hundreds of environments takes too much memory to be kept for all.
const mostKept = 20;

/** The files of a workspace as this process has parsed them; what is the same in several environments is there once. */
export class ParsedOnce {
  #settings = "";
  /** By environment; with other settings, which somebody writes letter by letter, none of the files fits. */
  #alike = new Map<string | null, ParsedThere>();

  /** Opens what is known of the files in one environment, and with its help in the others. */
  in(environment: string | null, kindFields: FieldsByKind): ParsedThere {
    const settings = JSON.stringify(kindFields);
    if (settings !== this.#settings) this.#alike = new Map();
    this.#settings = settings;
    const alike = this.#alike;
    const there = alike.get(environment) ?? new ParsedThere(alike);
    // Those that were used last come last.
    alike.delete(environment);
    alike.set(environment, there);
    for (const oldest of alike.keys()) if (alike.size > mostKept) alike.delete(oldest);
    return there;
  }
}

/** The files of a workspace as they were parsed in one environment. */
export class ParsedThere {
  /** By the digest of their content, with the last load that used them. */
  readonly #known = new Map<string, { readonly parsed: ReparsedFile; load: number }>();
  #load = 0;

  /** Takes what is known in all environments, itself among them. */
  constructor(private readonly alike: ReadonlyMap<unknown, ParsedThere>) {}

  /** Gives a file with this content that fits, from wherever it was parsed. */
  get(digest: string, fits: (summary: FileSummary) => boolean): ReparsedFile | undefined {
    const own = this.#find(digest, fits);
    if (own || this.alike.size === 1) return own;
    for (const there of this.alike.values()) {
      const parsed = there.#find(digest, fits);
      if (parsed) return parsed;
    }
    return undefined;
  }

  #find(digest: string, fits: (summary: FileSummary) => boolean): ReparsedFile | undefined {
    const parsed = this.#known.get(digest)?.parsed;
    return parsed && fits(parsed.summary) ? parsed : undefined;
  }

  keep(digest: string, parsed: ReparsedFile): ReparsedFile {
    const known = this.#known.get(digest);
    if (known?.parsed === parsed) known.load = this.#load;
    else this.#known.set(digest, { parsed, load: this.#load });
    return parsed;
  }

  /** Ends a load: what it did not use is forgotten. */
  settle(): void {
    for (const [digest, { load }] of this.#known) if (load !== this.#load) this.#known.delete(digest);
    this.#load++;
  }
}
