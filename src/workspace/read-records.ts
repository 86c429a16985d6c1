import { error, type Finding } from "../core/diagnostic.js";
import type { FileRecord } from "../core/file-record.js";
import type { Hash } from "../core/json.js";
import type { Settings } from "../core/manifest.js";
import type { Patches } from "../core/patches.js";
import type { SourceFile } from "../core/workspace.js";
import { cacheFingerprint } from "./cache/cache-fingerprint.js";
import { noPack, openPack, type Pack } from "./cache/pack.js";
import type { ReadProblem, WorkspaceFolder } from "./read-text.js";
import { RecordCache } from "./record-cache.js";
import { recordInThreads } from "./record-threads.js";
import { Recorder, type Recorded } from "./recorder.js";

/** What the files of a workspace gave, in the order of their names, and what kept others from being read. */
export interface ReadRecords {
  readonly records: readonly FileRecord[];
  readonly patches: Patches;
  readonly findings: readonly Finding[];
}

/** Reads the files of a workspace; what the cache has of the same content is not parsed again. */
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
  const { variables, extraFields } = settings;
  const given = { variables, extraFields, patches };
  const recorder = new Recorder(folder, given, hash);
  const pack = cacheFolder === undefined ? noPack : openPackOf(cacheFolder, folder, settings);
  const cache = new RecordCache(pack, recorder);
  const isPatch = new Set(patchFiles);
  const files = documents.filter((file) => !isPatch.has(file));
  const records: (FileRecord | undefined)[] = [];
  const accept = (index: number, outcome: Recorded | ReadProblem) => {
    if ("code" in outcome) findings.push(unread(files[index] ?? "", outcome));
    else records[index] = cache.keep(outcome);
  };

  let cold = 0;
  let next = 0;
  // As cold as those so far are, as far as anybody knows, those that follow.
  const coldToCome = () => (cold / next) * (files.length - next);
  for (; next < files.length && (cold < fairSample || coldToCome() < worthThreads); next++) {
    const file = files[next] ?? "";
    const content = recorder.read(file);
    if ("code" in content) {
      accept(next, content);
      continue;
    }
    const known = cache.get(file, content);
    if (known) records[next] = known;
    else {
      cold += content.bytes.length;
      accept(next, recorder.record(file, content));
    }
  }
  recordInThreads(files.slice(next), recorder, folder.root, given, (index, outcome) =>
    accept(next + index, outcome),
  );
  pack.save();
  const all = records.filter((record) => record !== undefined);
  return { records: all, patches: recorder.context.patches, findings };
}

// Bytes that have to be parsed: of about 800 documents, and of 13,000. For fewer, a thread costs more than it gives.
const fairSample = 1_000_000;
const worthThreads = 16_000_000;

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
  return error(code, { file }, message, hint ?? "it is a link that leads nowhere");
}
