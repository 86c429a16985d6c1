import { realpathSync } from "node:fs";
import { basename, dirname, join, posix, sep } from "node:path";
import { parseDocuments } from "../core/document/document.js";
import { kindOfDocument } from "../core/kind/kinds.js";
import type { ChangedSince } from "../core/plan/plan-options.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import { largestText } from "../git/git-process.js";
import { readTextInGit } from "../git/read-text.js";
import { repositoryFolder, repositoryRoot } from "../git/repository.js";
import { isObject, type Json } from "../json/json.js";
import { changedFiles } from "./changed-files.js";
import { isDocumentName, patchFolder } from "./find-documents.js";
import { manifestIn, usesIn } from "./uses-graph.js";

/** What a plan is made of beside the files of the workspace. */
export interface PlannedWith {
  readonly environment: string | null;
  /** The files with values of variables, whole. */
  readonly varFiles: readonly string[];
}

/** Finds what of a workspace, and of those that it uses, directly or through others, differs from a commit. */
export async function readChangedSince(
  directory: string,
  ref: string,
  { environment, varFiles }: PlannedWith,
): Promise<ChangedSince> {
  const files = new Set(await changedFiles(directory, ref));
  // Like the values in the manifest, these may reach every document.
  for (const file of varFiles) if (await isChanged(directory, ref, file)) files.add(manifestFile);
  const patches = [...files].filter((file) => file.startsWith(`${patchFolder(environment)}/`));
  const patched = new Set(patches.flatMap((file) => addressesIn(directory, ref, file)));
  const uses = new Set<string>();
  const manifest = manifestIn(directory);
  if (!manifest) return { ref, files, patched, uses };
  for (const [name, { file }] of Object.entries(manifest.value.spec.uses ?? {})) {
    const paths = typeof file === "object" ? Object.values(file) : file === undefined ? [] : [file];
    if (paths.some((path) => files.has(posix.normalize(path)))) uses.add(name);
  }
  const seen = new Set<string>();
  for (const { name, folder } of usesIn(directory, manifest)) {
    seen.clear();
    if (await isTouched(folder, ref, seen)) uses.add(name);
  }
  return { ref, files, patched, uses };
}

async function isChanged(directory: string, ref: string, varFile: string): Promise<boolean> {
  const root = repositoryRoot(directory);
  // A link may lead to another file than in the commit.
  const named = join(realpathSync(dirname(varFile)), basename(varFile));
  for (const file of new Set([named, realpathSync(varFile)])) {
    const isWithin = root !== undefined && file.startsWith(`${root}${sep}`);
    if (isWithin && (await changedFiles(dirname(file), ref)).has(basename(file))) return true;
  }
  return false;
}

// What was patched until then has no file any more that says so.
function addressesIn(directory: string, ref: string, file: string): string[] {
  const path = repositoryFolder(directory) + file;
  const text = isDocumentName(file) ? readTextInGit(directory, { revision: ref }, path, largestText) : null;
  return parseDocuments(file, text ?? "").value.flatMap(({ value }) => addressOf(value));
}

function addressOf(document: Json): string[] {
  const { kind, metadata } = isObject(document) ? document : {};
  const { name } = isObject(metadata) ? metadata : {};
  const known = typeof kind === "string" ? kindOfDocument(kind) : undefined;
  return known && typeof name === "string" ? [`${known.name}:${name}`] : [];
}

async function isTouched(folder: string, ref: string, seen: Set<string>): Promise<boolean> {
  if (seen.has(folder)) return false;
  seen.add(folder);
  const manifest = manifestIn(folder);
  // No commit says what another state was.
  if (!manifest || (manifest.value.spec.lock?.store ?? "file") !== "file") return true;
  if ((await changedFiles(folder, ref)).size > 0) return true;
  for (const used of usesIn(folder, manifest)) if (await isTouched(used.folder, ref, seen)) return true;
  return false;
}
