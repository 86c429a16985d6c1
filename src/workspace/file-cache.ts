import { isSound, type FileSummary } from "../core/resources/parsed-file.js";
import type { Cached } from "./cache/cache.js";
import type { FileParser } from "./file-parser.js";
import type { ParsedThere } from "./parsed-once.js";
import { ReparsedFile } from "./reparsed-file.js";

/** The files of a workspace as this process and earlier ones parsed them. */
export class FileCache {
  readonly #stored: ReadonlyMap<string, FileSummary>;
  readonly #kept: FileSummary[] = [];

  /** Takes what earlier processes kept of the workspace and environment. */
  constructor(
    private readonly cached: Cached,
    private readonly parser: FileParser,
    private readonly before?: ParsedThere,
  ) {
    const stored = (cached.value ?? []) as readonly FileSummary[];
    this.#stored = new Map(stored.map((summary) => [summary.file, summary]));
  }

  /** Gives the parsed file for a content, and its bytes if they were read, if all its other inputs are the same, too. */
  get(file: string, digest: string, bytes?: Uint8Array): ReparsedFile | undefined {
    const fits = (summary: FileSummary) => summary.file === file && this.parser.hasSameInputs(summary);
    const summary = this.#stored.get(file);
    if (summary?.inputs?.content !== digest || !fits(summary))
      return this.before?.get(digest, fits)?.parseWith(this.parser);
    return new ReparsedFile(summary, bytes, this.parser);
  }

  /** Keeps a file for later loads and runs, unless it has errors; gives it as it is kept. */
  keep(parsed: ReparsedFile): ReparsedFile {
    const { summary } = parsed;
    if (!summary.inputs || !isSound(summary)) return parsed;
    this.#kept.push(summary);
    return this.before?.keep(summary.inputs.content, parsed) ?? parsed;
  }

  /** Writes what is known of the files, unless so little is new that it is parsed again sooner than written. */
  save(): void {
    const fresh = this.#kept.filter((summary) => this.#stored.get(summary.file) !== summary).length;
    if (fresh > 0 && fresh * 100 >= this.#stored.size) this.cached.save(this.#kept);
  }
}
