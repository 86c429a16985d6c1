import { posix } from "node:path";
import type { ChangedSince } from "../core/plan/plan-options.js";
import { changedFiles } from "./changed-files.js";
import { manifestIn, usesIn } from "./uses-graph.js";

/** Finds what of a workspace, and of those that it uses, directly or through others, differs from a commit. */
export async function readChangedSince(directory: string, ref: string): Promise<ChangedSince> {
  const files = await changedFiles(directory, ref);
  const uses = new Set<string>();
  const manifest = manifestIn(directory);
  if (!manifest) return { ref, files, uses };
  for (const [name, { file }] of Object.entries(manifest.value.spec.uses ?? {})) {
    const paths = typeof file === "object" ? Object.values(file) : file === undefined ? [] : [file];
    if (paths.some((path) => files.has(posix.normalize(path)))) uses.add(name);
  }
  const seen = new Set<string>();
  for (const { name, folder } of usesIn(directory, manifest)) {
    seen.clear();
    if (await isTouched(folder, ref, seen)) uses.add(name);
  }
  return { ref, files, uses };
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
