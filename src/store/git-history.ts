import type { StoredState } from "../core/state/lock-store.js";
import { lineagesOf } from "../core/state/renamed-state.js";
import type { Settings } from "../core/resources/manifest.js";
import { GitError, GitObjectsError } from "../git/git-process.js";
import { isLfsPointer } from "../git/lfs-pointer.js";
import { readBlobs } from "../git/read-blobs.js";
import { repositoryFolder } from "../git/repository.js";
import { resolveCommit, runGit, startGit } from "../git/run-git.js";
import { versionOf } from "./local/lock-file.js";
import { lockFileName } from "../core/resources/lock-location.js";

/**
 * Reads the state of a commit, such as the tip of a branch, and as the fork that of the merge base of HEAD and it, for a
 * file store; the source is how messages name the lock of the commit.
 */
export async function readBaseFrom(directory: string, ref: string, settings: Settings) {
  const { store } = settings.lock;
  if (store !== "file") {
    const where = store === "git" ? "on a separate ref" : "on a server";
    throw new GitError(
      `--lock-from reads the lock file of a commit, but this workspace keeps its lock ${where}`,
    );
  }
  const commit = await resolveCommit(directory, ref);
  const file = lockFileName(settings);
  const base = await readCommit(directory, commit, settings);
  const forkedAt = await mergeBase(directory, commit);
  // If git finds no merge base, every difference of the working tree counts as an edit of the change.
  const isSame = forkedAt === undefined || forkedAt === commit;
  const fork = isSame ? base : await readCommit(directory, forkedAt, settings);
  return { base, fork, source: `${file} of ${ref}` };
}

/**
 * Reads the state that a commit has of what the present one is of now, whatever the workspace and the environment were
 * called in it; undefined unless it is kept in files.
 */
export async function readCommittedState(directory: string, ref: string, settings: Settings) {
  if (settings.lock.store !== "file") return undefined;
  const commit = await resolveCommit(directory, ref);
  return await readAt(directory, commit, await pathIn(directory, commit, ownPath(directory, settings)));
}

async function mergeBase(directory: string, commit: string): Promise<string | undefined> {
  const { code, stdout } = await startGit(directory, ["merge-base", commit, "HEAD"]);
  return code === 0 ? stdout.toString().trim() : undefined;
}

// What only looks like it is the state of another workspace.
async function readCommit(directory: string, commit: string, settings: Settings): Promise<StoredState> {
  const own = ownPath(directory, settings);
  const path = await pathIn(directory, commit, own);
  const state = await readAt(directory, commit, path);
  const { name: workspace, environment } = settings;
  const isOwn = path === own || lineagesOf([state.lock], { workspace, environment })().size > 0;
  return isOwn ? state : { lock: null, journal: null, version: null, holder: null };
}

async function readAt(directory: string, commit: string, path: string): Promise<StoredState> {
  const [lock, journal] = await Promise.all([
    readBlob(directory, commit, path),
    readBlob(directory, commit, `${path}.journal`),
  ]);
  return { lock, journal, version: versionOf(lock), holder: null };
}

function ownPath(directory: string, settings: Settings): string {
  return `${repositoryFolder(directory)}${lockFileName(settings)}`;
}

// What git has under another name since is in the commit under the old one: the folder of the workspace was moved, or
// the environment renamed.
async function pathIn(directory: string, commit: string, path: string): Promise<string> {
  const isIn = await runGit(directory, ["ls-tree", "-z", "--full-tree", commit, "--", path]);
  if (isIn !== "") return path;
  const args = ["--no-literal-pathspecs", "diff-index", "--cached", "-M", "--diff-filter=R", "--name-status"];
  const fields = (
    await runGit(directory, [...args, "-z", commit, "--", ":(top,glob)**/agentform*.lock"])
  ).split("\0");
  const at = fields.findIndex((name, index) => index % 3 === 2 && name === path);
  return fields[at - 1] ?? path;
}

// The blob is read raw: showing a file of a commit may run programs that the attributes of the commit name.
async function readBlob(directory: string, commit: string, path: string): Promise<string | null> {
  const listed = await runGit(directory, ["ls-tree", "-z", "--full-tree", commit, "--", path]);
  const [, blob] = /^\d+ blob ([0-9a-f]+)\t/.exec(listed) ?? [];
  if (blob === undefined) return null;
  const [text = null] = await readBlobs(directory, [blob]);
  // Without it everything would look new.
  if (text === null || isLfsPointer(text)) throw new GitObjectsError();
  return text;
}
