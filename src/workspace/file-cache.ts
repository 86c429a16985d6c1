import { isSound, type FileSummary, type ParsedFile } from "../core/resources/parsed-file.js";
import { contentDigest } from "../digest.js";
import { again } from "../json/once.js";
import type { Cached } from "./cache/cache.js";
import type { FileParser } from "./file-parser.js";
import type { ParsedThere } from "./parsed-once.js";
import type { WorkspaceFolder } from "./workspace-folder.js";

/** A file is not the one any more that a plan was begun with. */
class ChangedMeanwhileError extends Error {
  override readonly name = "ChangedMeanwhileError";
}

/** The files of a workspace as this process and earlier ones parsed them. */
export class FileCache {
  readonly #stored: ReadonlyMap<string, FileSummary>;
  readonly #kept: FileSummary[] = [];

  /** Takes what earlier processes kept of the workspace and environment. */
  constructor(
    private readonly cached: Cached,
    private readonly folder: WorkspaceFolder,
    private readonly parser: FileParser,
    private readonly before?: ParsedThere,
  ) {
    const stored = (cached.value ?? []) as readonly FileSummary[];
    this.#stored = new Map(stored.map((summary) => [summary.file, summary]));
  }

  /**
   * Gives the parsed file for a content, if all its other inputs are the same, too. Its bytes are those that were read,
   * whatever is in the file by the time that they are needed; they are read then if nobody had to read them before.
   */
  get(file: string, digest: string, bytes?: Uint8Array): ParsedFile | undefined {
    const fits = (summary: FileSummary) => summary.file === file && this.parser.hasSameInputs(summary);
    const summary = this.#stored.get(file);
    if (summary?.inputs?.content !== digest || !fits(summary)) return this.before?.get(digest, fits);
    return { summary, details: again(() => this.#parse(summary, bytes ?? this.#readAgain(file, digest))) };
  }

  /** Keeps a file for later loads and runs, unless it has errors; gives it as it is kept. */
  keep(parsed: ParsedFile): ParsedFile {
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

  #parse({ file, resources }: FileSummary, bytes: Uint8Array | undefined): ReturnType<ParsedFile["details"]> {
    const details = bytes ? this.parser.parseAgain(file, bytes) : [];
    if (details.length === resources.length) return details;
    throw new ChangedMeanwhileError(`${file} was changed while it was read: run it again`);
  }

  #readAgain(file: string, digest: string): Uint8Array | undefined {
    const content = this.folder.readBytes(file);
    return content.ok && contentDigest(content.bytes) === digest ? content.bytes : undefined;
  }
}
