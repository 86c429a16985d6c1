import {
  isSound,
  textsOfResource,
  type FileSummary,
  type ParsedFile,
} from "../core/resources/parsed-file.js";
import type { Pack } from "./cache/pack.js";
import type { FileContent, FileParser } from "./file-parser.js";
import type { ParsedThere } from "./parsed-once.js";

/** The files of a workspace as this process and earlier ones parsed them. */
export class FileCache {
  constructor(
    private readonly pack: Pack,
    private readonly parser: FileParser,
    private readonly before?: ParsedThere,
  ) {}

  /** Gives the parsed file for a content, if all its other inputs are the same, too. */
  get(file: string, content: Pick<FileContent, "digest">): ParsedFile | undefined {
    if (!this.parser.isKept) return undefined;
    const { digest } = content;
    const fits = (summary: FileSummary) => summary.file === file && this.parser.hasSameInputs(summary);
    const stored = this.#stored(file, digest, fits);
    if (stored) {
      return this.before?.keep(digest, stored) ?? stored;
    }
    const parsed = this.before?.get(digest, fits);
    return parsed && this.keep(parsed);
  }

  /** Keeps a file for later loads and runs, unless it has errors; gives it as it is kept. */
  keep(parsed: ParsedFile): ParsedFile {
    const { summary, texts } = parsed;
    if (!summary.inputs || !isSound(summary)) return parsed;
    const kept = this.before?.keep(summary.inputs.content, parsed) ?? parsed;
    const count = summary.resources.length * textsOfResource;
    const all = Array.from({ length: count }, (_, index) => texts.at(index) ?? "");
    this.pack.keep(summary.inputs.content, summary, all);
    return kept;
  }

  #stored(file: string, digest: string, fits: (summary: FileSummary) => boolean): ParsedFile | undefined {
    const kept = this.pack.get(digest);
    if (!kept) return undefined;
    const summary = kept.head as FileSummary;
    if (!fits(summary)) return undefined;
    let again: ParsedFile | undefined;
    const parseAgain = () => (again ??= this.#parseAgain(file, digest));
    return { summary, texts: { at: (index) => kept.text(index) ?? parseAgain().texts.at(index) } };
  }

  // For a text that can no longer be read from the cache.
  #parseAgain(file: string, digest: string): ParsedFile {
    const content = this.parser.read(file);
    const parsed =
      "bytes" in content && content.digest === digest ? this.parser.parse(file, content) : undefined;
    if (!parsed || !("summary" in parsed)) {
      throw new Error(`${file} was changed while it was read: run it again`);
    }
    return parsed;
  }
}
