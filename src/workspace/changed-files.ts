import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { filesIn } from "../git/commit-files.js";
import { repositoryFolder } from "../git/repository.js";
import { openRepository, resolveCommit, runGit } from "../git/run-git.js";
import { once } from "../json/once.js";
import { unlessFailing } from "../disk/unless-failing.js";
import { sizeLimit } from "./regular-file.js";
import type { ChangedSince } from "../core/plan/plan-options.js";
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

/**
 * Gives the files of a workspace that differ from a commit, including untracked ones, relative to the workspace.
 * Raw contents are compared, so that no filter or diff driver named by the files' attributes is run.
 */
export async function changedFiles(directory: string, ref: string): Promise<ReadonlySet<string>> {
  const { root } = openRepository(directory);
  const folder = repositoryFolder(directory);
  const commit = await resolveCommit(directory, ref);
  const within = folder === "" ? [] : [folder];
  const [committed, present] = await Promise.all([
    filesIn(directory, commit, within),
    runGit(directory, ["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", ...within]),
  ]);
  const blobs = new Map(
    committed.flatMap(({ file, id, type }) => (type === "submodule" ? [] : [[file, id] as const])),
  );
  const files = new Set([...blobs.keys(), ...present.split("\0")].filter((file) => file !== ""));
  // Git compares a link itself, not the file that it leads to.
  const isReal = once((path) => unlessFailing(() => realpathSync(path)) === path);
  const changed = [...files].filter((file) => {
    const path = join(root, file);
    return !isReal(dirname(path)) || !isBlob(path, blobs.get(file));
  });
  return new Set(changed.map((file) => file.slice(folder.length)));
}

function isBlob(path: string, blob: string | undefined): boolean {
  if (blob === undefined) return false;
  const content = unlessFailing(() => {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) return Buffer.from(readlinkSync(path));
    return stat.isFile() && stat.size <= sizeLimit ? readFileSync(path) : undefined;
  });
  if (content === undefined) return false;
  // Git may have checked out CRLF where the blob has LF.
  return blobOf(content, blob) === blob || blobOf(withoutCr(content), blob) === blob;
}

function blobOf(content: Buffer, like: string): string {
  const hash = createHash(like.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}

function withoutCr(content: Buffer): Buffer {
  return Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}
