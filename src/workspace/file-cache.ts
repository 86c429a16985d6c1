import {
  isSound,
  type FileSummary,
  type ParsedFile,
  type ResourceDetails,
} from "../core/resources/parsed-file.js";
import { contentDigest } from "../digest.js";
import type { Cached } from "./cache/cache.js";
import type { FileParser } from "./file-parser.js";
import type { ParsedThere } from "./parsed-once.js";
import type { WorkspaceFolder } from "./workspace-folder.js";

/** The files of a workspace as this process and earlier ones parsed them. */
export class FileCache {
  readonly #stored: ReadonlyMap<string, FileSummary>;
  readonly #kept: FileSummary[] = [];
  #fresh = 0;

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

  /** Gives the parsed file for a content, if all its other inputs are the same, too. */
  get(file: string, digest: string): ParsedFile | undefined {
    const fits = (summary: FileSummary) => summary.file === file && this.parser.hasSameInputs(summary);
    const summary = this.#stored.get(file);
    if (summary?.inputs?.content === digest && fits(summary)) {
      this.#kept.push(summary);
      const parsed = { summary, details: again(() => this.#parseAgain(summary, digest)) };
      return this.before?.keep(digest, parsed) ?? parsed;
    }
    const parsed = this.before?.get(digest, fits);
    return parsed && this.#keep(parsed);
  }

  /** Keeps a file that was parsed from a content for later loads and runs, unless it has errors; gives it as it is kept. */
  add(parsed: ParsedFile, bytes: Uint8Array): ParsedFile {
    const { summary } = parsed;
    // Loads that follow each other keep what they share, and nobody asks most files for more than their summary.
    const details = this.before ? again(() => this.parser.parseAgain(summary.file, bytes)) : parsed.details;
    return this.#keep({ summary, details });
  }

  #keep(parsed: ParsedFile): ParsedFile {
    const { summary } = parsed;
    if (!summary.inputs || !isSound(summary)) return parsed;
    this.#fresh++;
    this.#kept.push(summary);
    return this.before?.keep(summary.inputs.content, parsed) ?? parsed;
  }

  /** Writes what is known of the files, unless so little is new or gone that it is parsed again sooner than written. */
  save(): void {
    if (this.#kept.length === 0) return;
    const gone = this.#stored.size + this.#fresh - this.#kept.length;
    if ((this.#fresh > 0 && this.#fresh * 100 >= this.#stored.size) || gone * 4 > this.#stored.size)
      this.cached.save(this.#kept);
  }

  #parseAgain({ file, resources }: FileSummary, digest: string): readonly ResourceDetails[] {
    const content = this.folder.readBytes(file);
    const isSame = content.ok && contentDigest(content.bytes) === digest;
    const details = isSame ? this.parser.parseAgain(file, content.bytes) : [];
    if (details.length === resources.length) return details;
    throw new Error(`${file} was changed while it was read: run it again`);
  }
}

/** Has something made when it is asked for, and again if nobody has it any more. */
function again<Made extends object>(make: () => Made): () => Made {
  let made: WeakRef<Made> | undefined;
  return () => {
    const known = made?.deref() ?? make();
    if (made?.deref() !== known) made = new WeakRef(known);
    return known;
  };
}
