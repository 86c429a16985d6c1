import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesIn } from "../git/commit-files.js";
import { repositoryFolder } from "../git/repository.js";
import { openRepository, resolveCommit, runGit } from "../git/run-git.js";
import { once } from "../json/once.js";
import { unlessFailing } from "../disk/unless-failing.js";
import { sizeLimit } from "./regular-file.js";

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
