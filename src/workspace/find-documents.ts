import { meaning } from "../core/finding/nearest.js";
import { readdirSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { realPath } from "../disk/real-path.js";
import { error, type Finding, type Place } from "../core/finding/diagnostic.js";
import { bare, say } from "../core/finding/said.js";
import { environmentHint } from "../core/resources/absence.js";
import { environmentName } from "../core/resources/environment-name.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import type { Settings } from "../core/resources/manifest.js";
import { closestName } from "./closest-name.js";
import {
  environmentsFolder,
  isDocumentName,
  isLeftOut,
  isNearlyDocumentName,
  patchFolder,
} from "./document-name.js";
import { unread, type ReadProblem } from "../core/expression/included-data.js";
import { notRegular, unreadable } from "./regular-file.js";
import type { WorkspaceFolder } from "./workspace-folder.js";
import { unlessFailing } from "../disk/unless-failing.js";

/** The document files of a workspace, sorted, and the problems of finding them. */
export interface FoundDocuments {
  readonly files: readonly string[];
  readonly findings: readonly Finding[];
  /** The real paths of the folders that were looked into. */
  readonly folders: ReadonlySet<string>;
  /** The files in them whose names are nearly those of documents. */
  readonly passed: readonly string[];
}

/** Finds the document files, not hidden or in `node_modules`; what is about to be made may be missing. */
export function findDocuments(
  folder: WorkspaceFolder,
  settings: Settings,
  makes: readonly string[] = [],
): FoundDocuments {
  const search = searchIn(folder);
  for (const [index, include] of settings.include.entries()) {
    const place = settings.includeIsWritten
      ? { file: manifestFile, path: ["spec", "include", index] }
      : { file: manifestFile, path: ["spec"] };
    const target = folder.resolve(manifestFile, include);
    const problem = target.ok ? find(search, target.file) : target;
    const isMade = target.ok && makes.some((made) => `${made}/`.startsWith(`${target.file}/`));
    if (!problem || (problem.code === "file-missing" && (isMade || !settings.includeIsWritten))) continue;
    search.findings.push(explain(problem, place, include, folder));
  }
  search.files.delete(manifestFile);
  // What patches one environment is no document of the others, also where all folders are included.
  const folders = settings.environments.map((environment) => `${patchFolder(environment)}/`);
  const files = [...search.files].filter((file) => !folders.some((each) => file.startsWith(each)));
  return foundBy(search, files);
}

/** Finds the folders and files that look like patches, but are in the folder of no environment. */
export function findStrayPatches(
  folder: WorkspaceFolder,
  { environments }: Settings,
  documents: readonly string[],
): Finding[] {
  return [...entriesIn(folder, environmentsFolder)].flatMap(([entry, isFolder]): Finding[] => {
    const name = `${environmentsFolder}/${entry}`;
    if (isLeftOut(entry)) return [];
    if (isFolder) {
      if (environments.includes(entry)) return [];
      const place = { file: manifestFile, path: ["spec", "environments"], key: true };
      const message = say`the folder ${{ file: name }} belongs to no environment of the manifest`;
      return [error("environment-unknown", place, message, environmentHint(entry, environments))];
    }
    const [, stem] = /^(.*)\.ya?ml$/i.exec(entry) ?? [];
    if (stem === undefined || documents.includes(name)) return [];
    const message = say`${{ file: name }} is not in the folder of an environment, so it patches nothing`;
    const hint = environments.includes(stem)
      ? say`move it into \`${bare({ to: `${patchFolder(stem)}/` })}\``
      : "move it into the folder of the environment that it is for";
    return [error("patch-misplaced", { file: name, offset: 0 }, message, hint)];
  });
}

/** Gives what is in a folder, by name, and whether it is a folder itself. */
function entriesIn(folder: WorkspaceFolder, name: string): Map<string, boolean> {
  const entries = new Map(
    folder.unsavedIn(name).map((path) => [path.split("/", 1)[0] ?? "", path.includes("/")]),
  );
  const absolute = join(folder.root, name);
  try {
    for (const entry of readdirSync(absolute, { withFileTypes: true })) {
      entries.set(entry.name, isFolder(entry, absolute));
    }
  } catch {
    // Most workspaces have no such folder; the files in one that cannot be read are reported where they are read.
  }
  return entries;
}

/** Finds the files with an environment's patches; most environments have none. */
export function findPatches(folder: WorkspaceFolder, { environment }: Settings): FoundDocuments {
  const search = searchIn(folder);
  const name = patchFolder(environment);
  const problem = find(search, name);
  if (problem && problem.code !== "file-missing") {
    const place = {
      file: manifestFile,
      path: ["spec", "environments", environmentName(environment)],
      key: true,
    };
    search.findings.push(explain(problem, place, name, folder));
  }
  return foundBy(search, [...search.files]);
}

interface DocumentSearch {
  readonly folder: WorkspaceFolder;
  readonly files: Set<string>;
  readonly findings: Finding[];
  /** Real paths of folders, because a link to a parent folder would never end. */
  readonly seen: Set<string>;
  readonly passed: string[];
}

function searchIn(folder: WorkspaceFolder): DocumentSearch {
  return { folder, files: new Set(), findings: [], seen: new Set(), passed: [] };
}

function foundBy({ findings, seen: folders, passed }: DocumentSearch, files: string[]): FoundDocuments {
  return { files: files.toSorted(), findings, folders, passed: passed.toSorted() };
}

// A file that an editor has not saved yet is part of its folder, even of one that does not exist yet.
function find(search: DocumentSearch, name: string): ReadProblem | undefined {
  const { folder, files } = search;
  const unsavedFiles = folder
    .unsavedIn(name)
    .filter((path) => !path.split("/").some(isLeftOut))
    .map((path) => (name === "" ? path : `${name}/${path}`));
  search.passed.push(...unsavedFiles.filter(isNearlyDocumentName));
  const unsaved = unsavedFiles.filter(isDocumentName);
  if (folder.open.has(name)) unsaved.push(name);
  for (const file of unsaved) files.add(file);
  const problem = leftOutBelow(folder, name) ?? lookInto(search, name);
  return problem?.code === "file-missing" && unsaved.length > 0 ? undefined : problem;
}

// Documents that the checkout leaves out would count as removed, and patches as none.
function leftOutBelow(folder: WorkspaceFolder, name: string): ReadProblem | undefined {
  const start = name === "" ? "" : `${name}/`;
  const file = folder.git.leftOut().find((each) => {
    if (each === name || (each.endsWith("/") && start.startsWith(each))) return true;
    const path = each.startsWith(start) ? each.slice(start.length) : "";
    return (isDocumentName(path) || path.endsWith("/")) && !path.split("/").some(isLeftOut);
  });
  return file === undefined || folder.open.has(file) ? undefined : leftOut(file);
}

function leftOut(file: string): ReadProblem {
  const hint = file.endsWith("/")
    ? "it is a submodule: fetch it with `git submodule update --init`, for which `.gitmodules` must name it"
    : "take it into the checkout: `git sparse-checkout list` shows what is, `git sparse-checkout add` adds a folder";
  return unread("file-unreadable", say`git has ${{ file }}, but this checkout leaves it out`, hint);
}

function lookInto(search: DocumentSearch, name: string): ReadProblem | undefined {
  const absolute = join(search.folder.root, name);
  try {
    const stat = statSync(absolute);
    if (stat.isDirectory()) return walk(search, name);
    if (!stat.isFile()) return notRegular(name, false);
    if (!isDocumentName(name)) {
      const message = say`${{ file: name }} has not the name of a file with documents`;
      return unread("file-unreadable", message, "give it the ending `.yaml`");
    }
    search.files.add(name);
    return undefined;
  } catch (cause) {
    return unreadable(name, cause);
  }
}

function explain(
  { code, message, hint }: ReadProblem,
  place: Place,
  include: string,
  folder: WorkspaceFolder,
): Finding {
  const meant = code === "file-missing" ? closestName(folder, include) : undefined;
  const way =
    meant === undefined ? (hint ?? "`spec.include` must name folders or files") : meaning(include, meant);
  return error(code, place, message, way);
}

// Documents that cannot be seen would count as removed, so an unreadable folder is an error.
function walk(search: DocumentSearch, name: string): ReadProblem | undefined {
  const { folder, files, findings, seen } = search;
  const absolute = join(folder.root, name);
  const real = realPath(absolute);
  const problem =
    (real === absolute ? undefined : folder.refuseReal(name, absolute)) ?? folder.refuseSpelling(name, real);
  if (problem?.code === "file-outside-workspace") {
    const hint = "move its content into the workspace";
    return { ...problem, message: say`${{ file: name }} is a link that leads out of the workspace`, hint };
  }
  if (problem) return problem;
  if (seen.has(real)) return undefined;
  seen.add(real);
  const entries = readdirSync(absolute, { withFileTypes: true });
  const own = folder.nameOf(real) ?? name;
  if (entries.length === 0 && folder.git.isUnfetched(own)) return leftOut(`${own}/`);
  const below = real === absolute ? undefined : leftOutBelow(folder, own);
  if (below) return below;
  for (const entry of entries) {
    if (isLeftOut(entry.name)) continue;
    const child = name === "" ? entry.name : `${name}/${entry.name}`;
    if (!isFolder(entry, absolute)) {
      if (!isDocumentName(entry.name)) {
        if (isNearlyDocumentName(entry.name) && entry.isFile()) search.passed.push(child);
        continue;
      }
      files.add(child);
      if (entry.isFile()) folder.listed.add(child);
      continue;
    }
    const problem = lookInto(search, child);
    if (problem) findings.push(error(problem.code, { file: child }, problem.message, problem.hint));
  }
  return undefined;
}

function isFolder(entry: Dirent, parent: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return unlessFailing(() => statSync(join(parent, entry.name)).isDirectory()) ?? false;
}
