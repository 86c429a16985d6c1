import { error, type Finding } from "../core/finding/diagnostic.js";
import type { ParsedFile } from "../core/resources/parsed-file.js";
import type { Settings } from "../core/resources/manifest.js";
import type { Patches } from "../core/resources/patches.js";
import type { SourceFile } from "../core/resources/fleet.js";
import type { FileRead, ReadProblem } from "../core/expression/included-data.js";
import { contentDigest } from "../digest.js";
import { openCache } from "./cache/cache.js";
import type { WorkspaceFolder } from "./workspace-folder.js";
import { FileCache } from "./file-cache.js";
import { ReparsedFile } from "./reparsed-file.js";
import type { ParsedOnce } from "./parsed-once.js";
import { FileParser } from "./file-parser.js";

/** Reads the files of a workspace; a file whose content is in the cache is not parsed again. */
export function parseFiles(
  folder: WorkspaceFolder,
  settings: Settings,
  files: readonly string[],
  patchFiles: readonly string[],
  known: { readonly cacheFolder?: string; readonly open?: { readonly parsed: ParsedOnce } },
): {
  readonly files: readonly ParsedFile[];
  readonly patches: Patches;
  readonly findings: readonly Finding[];
} {
  const findings: Finding[] = [];
  const patches = readTexts(folder, patchFiles, findings);
  const { variables, environment, kindFields, defaults } = settings;
  const { cacheFolder } = known;
  const before = known.open?.parsed.in(environment, kindFields);
  const isKept = cacheFolder !== undefined || before !== undefined;
  const parser = new FileParser(folder, { variables, environment, kindFields, defaults, patches });
  const owner = { directory: folder.root, environment, ...(cacheFolder !== undefined && { cacheFolder }) };
  const cache = new FileCache(openCache(["files", kindFields], owner), parser, before);
  const parsed: ParsedFile[] = [];
  // All are read before the first is parsed: to turn from one to the other for each file takes longer.
  const found = files.map((file) => findOne(file, folder, isKept ? cache : undefined));
  for (const [index, one] of found.entries()) {
    const file = files[index] ?? "";
    const outcome = one.ok && one.parsed === undefined ? parseOne(file, one, parser) : one;
    if (outcome.ok) parsed.push(cache.keep(outcome.parsed));
    else findings.push(unreadFile(file, outcome));
  }
  cache.save();
  before?.settle();
  return { files: parsed, patches: parser.context.patches, findings };
}

/** The content of a file, with its digest if it may be kept. */
interface ReadContent {
  readonly ok: true;
  readonly parsed?: undefined;
  readonly bytes: Uint8Array;
  readonly digest: string | undefined;
}

type ParsedOne = FileRead<{ readonly parsed: ReparsedFile }>;

function findOne(
  file: string,
  folder: WorkspaceFolder,
  cache: FileCache | undefined,
): ParsedOne | ReadContent {
  const unchanged = folder.keptDigest(file);
  const known = unchanged === undefined ? undefined : cache?.get(file, unchanged);
  if (known) return known.outcome;
  const content = folder.readBytes(file);
  if (!content.ok) return content;
  const digest = cache && (folder.keptDigest(file) ?? contentDigest(content.bytes));
  const same = digest === undefined ? undefined : cache?.get(file, digest, content.bytes);
  return same ? same.outcome : { ok: true, bytes: content.bytes, digest };
}

function parseOne(file: string, { bytes, digest }: ReadContent, parser: FileParser): ParsedOne {
  const one = parser.parse(file, bytes, digest);
  if (!one.ok) return one;
  return new ReparsedFile(one.parsed.summary, bytes, parser).outcome;
}

function readTexts(folder: WorkspaceFolder, files: readonly string[], findings: Finding[]): SourceFile[] {
  return files.flatMap((file) => {
    const read = folder.read(file);
    if (read.ok) return [{ file, text: read.text }];
    findings.push(unreadFile(file, read));
    return [];
  });
}

function unreadFile(file: string, { code, message, hint }: ReadProblem): Finding {
  return error(code, { file }, message, hint ?? "it is a link to a path that does not exist");
}
