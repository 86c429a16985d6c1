import { existsSync, opendirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { realPath } from "../disk/real-path.js";
import { compareText } from "../json/compare-text.js";
import { groupBy } from "../json/groups.js";
import { warning, type Finding } from "../core/finding/diagnostic.js";
import { nearest } from "../core/finding/nearest.js";
import { quoteFew } from "../core/finding/quotation.js";
import { bare, say, type Sentence } from "../core/finding/said.js";
import { kindOfDocument } from "../core/kind/kinds.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import type { Settings } from "../core/resources/manifest.js";
import { unlessFailing } from "../disk/unless-failing.js";
import { environmentsFolder, isDocumentName, isJsonName, isLeftOut } from "./document-name.js";
import type { FoundDocuments } from "./find-documents.js";
import { readHead } from "./regular-file.js";
import type { WorkspaceFolder } from "./workspace-folder.js";

// A workspace may be the top of a repository with everything else in it.
const mostEntries = 10_000;
const mostInFolder = 2000;
const mostRead = 1000;

interface UnreadDocument {
  readonly file: string;
  readonly folder: string;
  /** Its kind, as it is written. */
  readonly kind: string;
  /** Whether its folder is read, and its name is not that of a YAML file. */
  readonly isPassed: boolean;
}

/**
 * Warns about documents of agentform that are not read, or only as `.json` or `.yaml.txt`; bounded, the
 * nearest first.
 */
export function warnOfUnread(
  folder: WorkspaceFolder,
  { include }: Settings,
  found: readonly FoundDocuments[],
  included: readonly string[],
): Finding[] {
  const passed = new Set(found.flatMap((each) => each.passed));
  const candidates = [...passed, ...filesElsewhere(folder, found)].filter((file) => file !== manifestFile);
  if (candidates.length === 0) return [];
  const known = new Set([...included, ...found.flatMap(({ files }) => realNames(folder, files))]);
  const unknown = candidates.filter((file) => !known.has(file)).slice(0, mostRead);
  const documents = unknown.flatMap((file): UnreadDocument[] => {
    const kind = kindIn(file, headOf(folder, file));
    const isPassed = passed.has(file);
    return kind === undefined || !folder.resolve(manifestFile, file).ok
      ? []
      : [{ file, folder: folderOf(file), kind, isPassed }];
  });
  const groups = groupBy(documents, ({ file, folder: of, kind }) => `${of}\n${kind}\n${isJsonName(file)}`);
  return [...groups.values()].flatMap((group) => explain(group, include));
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf("/")));
}

// A document may be read through a link to it.
function realNames(folder: WorkspaceFolder, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    if (folder.listed.has(file)) return [file];
    const real = unlessFailing(() => folder.nameOf(realPath(join(folder.root, file))));
    return real === undefined ? [file] : [file, real];
  });
}

function headOf({ root, open }: WorkspaceFolder, file: string): string {
  return open.get(file) ?? unlessFailing(() => readHead(join(root, file))) ?? "";
}

/** Gives the files outside of the folders that are read, whose names are those of YAML or JSON files. */
function filesElsewhere(folder: WorkspaceFolder, found: readonly FoundDocuments[]): string[] {
  const isRead = (name: string) => found.some(({ folders }) => folders.has(join(folder.root, name)));
  const files = folder.unsavedIn("").filter((file) => {
    const above = file.split("/").map((_, index, names) => names.slice(0, index).join("/"));
    const isHidden = file.split("/").some(isLeftOut) || above.includes(environmentsFolder);
    const isOf = (name: string) => isRead(name) || (name !== "" && isOther(folder, name));
    return isNamedLikeOne(file) && !isHidden && !above.some(isOf);
  });
  let left = mostEntries;
  const names = [""];
  for (const name of names) {
    if (isRead(name)) continue;
    const most = Math.min(left, mostInFolder);
    const entries = unlessFailing(() => entriesOf(join(folder.root, name), most)) ?? [];
    left -= entries.length;
    if (left <= 0) return files;
    // Which part of a large folder comes first would depend on the file system.
    if (entries.length > most) continue;
    if (name !== "" && entries.some((entry) => entry.name === manifestFile || entry.name === ".git"))
      continue;
    for (const entry of entries.toSorted((a, b) => compareText(a.name, b.name))) {
      const child = name === "" ? entry.name : `${name}/${entry.name}`;
      if (isLeftOut(entry.name) || folder.git.ignored.has(child) || child === environmentsFolder) continue;
      if (entry.isDirectory()) names.push(child);
      else if (entry.isFile() && isNamedLikeOne(entry.name)) files.push(child);
    }
  }
  return files;
}

function isNamedLikeOne(name: string): boolean {
  return isDocumentName(name) || isJsonName(name);
}

/** Whether a folder is a workspace or a repository of its own. */
function isOther({ root, open }: WorkspaceFolder, name: string): boolean {
  return (
    open.has(`${name}/${manifestFile}`) ||
    [manifestFile, ".git"].some((entry) => existsSync(join(root, name, entry)))
  );
}

function entriesOf(absolute: string, most: number): Dirent[] {
  const listing = opendirSync(absolute, { bufferSize: 512 });
  try {
    const entries: Dirent[] = [];
    while (entries.length <= most) {
      const entry = listing.readSync();
      if (entry === null) break;
      entries.push(entry);
    }
    return entries;
  } finally {
    listing.closeSync();
  }
}

/** Gives the kind that a document of agentform has, empty if it says none; undefined for any other text. */
export function kindIn(file: string, head: string): string | undefined {
  const start = isJsonName(file) ? /^\s*\{[^]*?"apiVersion"/ : /^(?:\{\s*)?["']?apiVersion["']?/m;
  const version = new RegExp(`${start.source}\\s*:\\s*["']?agentform/`, start.flags);
  if (!version.test(head)) return undefined;
  return /(?:^|[{,\s])["']?kind["']?\s*:\s*["']?([A-Za-z]{1,20})/.exec(head)?.[1] ?? "";
}

function explain(group: readonly UnreadDocument[], include: readonly string[]): Finding[] {
  const [first] = group.toSorted((a, b) => compareText(a.file, b.file));
  if (!first) return [];
  const files = group.map(({ file }) => file).toSorted(compareText);
  const are = files.length === 1 ? "is a document that is" : "are documents that are";
  const message = say`${bare({ files }, quoteFew(files))} ${are} not read`;
  return [warning("document-unread", { file: first.file, offset: 0 }, message, hintOf(first, include))];
}

function hintOf({ file, folder, kind, isPassed }: UnreadDocument, include: readonly string[]): Sentence {
  if (kind === "Workspace")
    return say`only a file named ${{ meant: manifestFile }} is a manifest: rename it, or remove it`;
  if (isPassed) {
    if (!isJsonName(file)) return say`remove the ending \`.txt\`: ${{ to: file.slice(0, -".txt".length) }}`;
    const yaml = file.replace(/json$/i, "yaml");
    return say`give it the ending \`.yaml\`: ${{ to: yaml }}; YAML takes JSON as it is`;
  }
  const read = kindOfDocument(kind)?.folder ?? "";
  const [top = ""] = folder.split("/");
  const folders = include.map(folderIn).filter((name) => name !== "");
  const target = folders.includes(read) ? read : (nearest(top, folders) ?? folders[0]);
  const adding = say`add ${{ meant: folder === "" || isJsonName(file) ? file : folder }} to \`spec.include\` of agentform.yaml`;
  if (target === undefined) return adding;
  const ending = isJsonName(file) ? " with the ending `.yaml`" : "";
  return say`move it into \`${bare({ to: `${target}/` })}\`${ending}, or ${adding}`;
}

/** Gives the folder that an item of `spec.include` names, or that of the file that it names. */
function folderIn(included: string): string {
  const name = included.replace(/^(?:\.\/)+|\/+$/g, "");
  return /\.ya?ml$/i.test(name) ? folderOf(name) : name;
}
