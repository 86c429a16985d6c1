import { readdirSync, realpathSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { error, type Finding } from "../core/diagnostic.js";
import { manifestFile, type Settings } from "../core/manifest.js";
import { unreadable, type WorkspaceFolder } from "./read-text.js";

/** Gives the files that hold documents, sorted; hidden files and folders are left out. */
export function findDocuments(folder: WorkspaceFolder, settings: Settings): { files: string[]; findings: Finding[] } {
  const files = new Set<string>();
  const findings: Finding[] = [];
  for (const [index, include] of settings.include.entries()) {
    const place = settings.includeIsWritten
      ? { file: manifestFile, path: ["spec", "include", index] }
      : { file: manifestFile, path: ["spec"] };
    const target = folder.resolve(manifestFile, include);
    if (!("file" in target)) {
      findings.push(error(target.code, place, target.message, target.hint));
      continue;
    }
    try {
      walk(folder, target.file, files, new Set());
    } catch (cause) {
      const problem = unreadable(include, cause);
      if (problem.code === "file-missing" && !settings.includeIsWritten) continue;
      findings.push(error(problem.code, place, problem.message, "`spec.include` names folders or files"));
    }
  }
  files.delete(manifestFile);
  return { files: [...files].toSorted(), findings };
}

function walk(folder: WorkspaceFolder, name: string, files: Set<string>, seen: Set<string>): void {
  const absolute = join(folder.root, name);
  if (statSync(absolute).isFile()) return void files.add(name);
  const real = realpathSync(absolute);
  // A link to a folder above would lead round for ever, and one out of the workspace is not followed.
  if (seen.has(real) || folder.nameOf(real) === undefined) return;
  seen.add(real);
  for (const entry of readdirSync(absolute, { withFileTypes: true })) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const child = name === "" ? entry.name : `${name}/${entry.name}`;
    if (isFolder(entry, join(absolute, entry.name))) walk(folder, child, files, seen);
    else if (/\.ya?ml$/i.test(entry.name)) files.add(child);
  }
}

function isFolder(entry: Dirent, absolute: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(absolute).isDirectory();
  } catch {
    return false;
  }
}
