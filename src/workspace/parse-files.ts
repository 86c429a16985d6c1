import { error, type Finding } from "../core/finding/diagnostic.js";
import type { ParsedFile } from "../core/resources/parsed-file.js";
import type { Settings } from "../core/resources/manifest.js";
import type { Patches } from "../core/resources/patches.js";
import type { SourceFile } from "../core/resources/fleet.js";
import { cacheFingerprint } from "./cache/cache-fingerprint.js";
import { noPack, openPack, type Pack } from "./cache/pack.js";
import type { ReadProblem } from "./read-problem.js";
import type { WorkspaceFolder } from "./workspace-folder.js";
import { FileCache } from "./file-cache.js";
import type { ParsedOnce } from "./parsed-once.js";
import { parseInThreads } from "./parse-threads.js";
import { FileParser } from "./file-parser.js";

/** The results of a workspace's files, in the order of their names, and the problems of reading them. */
export interface ParsedFiles {
  readonly files: readonly ParsedFile[];
  readonly patches: Patches;
  readonly findings: readonly Finding[];
}

/** Where what was parsed before is kept. */
interface KnownFiles {
  readonly cacheFolder?: string;
  readonly open?: { readonly parsed: ParsedOnce };
}

/** Reads the files of a workspace; a file whose content is in the cache is not parsed again. */
export function parseFiles(
  folder: WorkspaceFolder,
  settings: Settings,
  files: readonly string[],
  patchFiles: readonly string[],
  known: KnownFiles,
): ParsedFiles {
  const findings: Finding[] = [];
  const patches = readTexts(folder, patchFiles, findings);
  const { variables, environment, extraFields, defaults } = settings;
  const pack = packOf(known, folder, settings);
  const before = known.open?.parsed.in(environment, extraFields);
  const isKept = pack !== noPack || before !== undefined;
  const given = { variables, environment, extraFields, defaults, patches, isKept };
  const parser = new FileParser(folder, given);
  const reading = new Reading(files, parser, new FileCache(pack, parser, before));
  const read = reading.readWhileWarm();
  parseInThreads(files.slice(read), parser, folder, given, (index, outcome) =>
    reading.accept(read + index, outcome),
  );
  pack.save();
  before?.settle();
  return {
    files: reading.parsed.filter((file) => file !== undefined),
    patches: parser.context.patches,
    findings: [...findings, ...reading.findings],
  };
}

// In bytes that must be parsed: about 800 documents, and 13,000. With fewer, starting a thread costs more than it saves.
const fairSample = 1_000_000;
const worthThreads = 16_000_000;

class Reading {
  /** By the index of the file. */
  readonly parsed: (ParsedFile | undefined)[] = [];
  readonly findings: Finding[] = [];
  #cold = 0;

  constructor(
    private readonly files: readonly string[],
    private readonly parser: FileParser,
    private readonly cache: FileCache,
  ) {}

  /** Reads files one after the other until the rest is worth threads; gives how many were read. */
  readWhileWarm(): number {
    let read = 0;
    while (read < this.files.length && !this.#isWorthThreads(read)) this.#read(read++);
    return read;
  }

  /** Takes the result of a file. */
  accept(index: number, outcome: ParsedFile | ReadProblem): void {
    if ("code" in outcome) {
      this.findings.push(unread(this.files[index] ?? "", outcome));
      return;
    }
    this.parsed[index] = this.cache.keep(outcome);
  }

  #read(index: number): void {
    const file = this.files[index] ?? "";
    const unchanged = this.parser.keptDigest(file);
    if (unchanged !== undefined) {
      const parsed = this.cache.get(file, { digest: unchanged });
      if (parsed) {
        this.parsed[index] = parsed;
        return;
      }
    }
    const content = this.parser.read(file);
    if ("code" in content) return this.accept(index, content);
    const known = this.cache.get(file, content);
    if (known) {
      this.parsed[index] = known;
      return;
    }
    this.#cold += content.bytes.length;
    this.accept(index, this.parser.parse(file, content));
  }

  // The rest is assumed to be in the cache as rarely as the files so far.
  #isWorthThreads(read: number): boolean {
    const toCome = (this.#cold / read) * (this.files.length - read);
    return this.#cold >= fairSample && toCome >= worthThreads;
  }
}

function packOf({ cacheFolder }: KnownFiles, { root }: WorkspaceFolder, settings: Settings): Pack {
  const { environment, extraFields } = settings;
  const name = JSON.stringify([root, environment, extraFields]);
  return cacheFolder === undefined ? noPack : openPack(cacheFolder, name, cacheFingerprint);
}

function readTexts(folder: WorkspaceFolder, files: readonly string[], findings: Finding[]): SourceFile[] {
  return files.flatMap((file) => {
    const read = folder.read(file);
    if ("text" in read) return [{ file, text: read.text }];
    findings.push(unread(file, read));
    return [];
  });
}

function unread(file: string, { code, message, hint }: ReadProblem): Finding {
  return error(code, { file }, message, hint ?? "it is a link to a path that does not exist");
}
