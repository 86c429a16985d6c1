import { error, type Finding } from "../core/finding/diagnostic.js";
import type { FileRecord } from "../core/resources/file-record.js";
import type { Hash } from "../json/json.js";
import type { Settings } from "../core/resources/manifest.js";
import type { Patches } from "../core/resources/patches.js";
import type { SourceFile } from "../core/resources/workspace.js";
import { cacheFingerprint } from "./cache/cache-fingerprint.js";
import { noPack, openPack, type Pack } from "./cache/pack.js";
import type { ReadProblem } from "./read-problem.js";
import type { WorkspaceFolder } from "./read-text.js";
import { RecordCache } from "./record-cache.js";
import { recordInThreads } from "./record-threads.js";
import { Recorder, type Recorded } from "./recorder.js";

/** The results of a workspace's files, in the order of their names, and the problems of reading them. */
export interface ReadRecords {
  readonly records: readonly FileRecord[];
  readonly patches: Patches;
  readonly findings: readonly Finding[];
}

/** Reads the files of a workspace; a file whose content is in the cache is not parsed again. */
export function readRecords(
  folder: WorkspaceFolder,
  settings: Settings,
  documents: readonly string[],
  patchFiles: readonly string[],
  hash: Hash,
  cacheFolder: string | undefined,
): ReadRecords {
  const findings: Finding[] = [];
  const patches = readTexts(folder, patchFiles, findings);
  const isPatch = new Set(patchFiles);
  const files = documents.filter((file) => !isPatch.has(file));
  const given = { variables: settings.variables, extraFields: settings.extraFields, patches };
  const recorder = new Recorder(folder, given, hash);
  const pack = cacheFolder === undefined ? noPack : openPackOf(cacheFolder, folder, settings);
  const reading = new Reading(files, recorder, new RecordCache(pack, recorder));
  const read = reading.readWhileWarm();
  recordInThreads(files.slice(read), recorder, folder, given, (index, outcome) =>
    reading.accept(read + index, outcome),
  );
  pack.save();
  return {
    records: reading.records.filter((record) => record !== undefined),
    patches: recorder.context.patches,
    findings: [...findings, ...reading.findings],
  };
}

// In bytes that must be parsed: about 800 documents, and 13,000. With fewer, starting a thread costs more than it saves.
const fairSample = 1_000_000;
const worthThreads = 16_000_000;

class Reading {
  /** By the place of the file. */
  readonly records: (FileRecord | undefined)[] = [];
  readonly findings: Finding[] = [];
  #cold = 0;

  constructor(
    private readonly files: readonly string[],
    private readonly recorder: Recorder,
    private readonly cache: RecordCache,
  ) {}

  /** Reads files one after the other until the rest is worth threads; gives how many were read. */
  readWhileWarm(): number {
    let read = 0;
    while (read < this.files.length && !this.#isWorthThreads(read)) this.#read(read++);
    return read;
  }

  /** Takes the result of a file. */
  accept(index: number, outcome: Recorded | ReadProblem): void {
    if ("code" in outcome) {
      this.findings.push(unread(this.files[index] ?? "", outcome));
      return;
    }
    this.cache.keep(outcome);
    this.records[index] = outcome.record;
  }

  #read(index: number): void {
    const file = this.files[index] ?? "";
    const content = this.recorder.read(file);
    if ("code" in content) return this.accept(index, content);
    const known = this.cache.get(file, content);
    if (known) {
      this.records[index] = known;
      return;
    }
    this.#cold += content.bytes.length;
    this.accept(index, this.recorder.record(file, content));
  }

  // The rest is assumed to be in the cache as rarely as the files so far.
  #isWorthThreads(read: number): boolean {
    const toCome = (this.#cold / read) * (this.files.length - read);
    return this.#cold >= fairSample && toCome >= worthThreads;
  }
}

function openPackOf(cacheFolder: string, { root }: WorkspaceFolder, settings: Settings): Pack {
  const { environment, extraFields } = settings;
  return openPack(cacheFolder, JSON.stringify([root, environment, extraFields]), cacheFingerprint);
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
