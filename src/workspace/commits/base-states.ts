import type { StoredState } from "../../core/state/lock-store.js";
import { isSameOwner, ownerOf } from "../../core/state/lock.js";
import { serialIn } from "../../core/state/lock-move.js";
import { ownerInText, lineagesOf } from "../../core/state/renamed-state.js";
import { lockFileName } from "../../core/resources/lock-location.js";
import type { Settings } from "../../core/resources/manifest.js";
import { contentDigest } from "../../digest.js";
import { filesIn } from "../../git/commit-files.js";
import { GitError, GitObjectsError } from "../../git/git-process.js";
import { isLfsPointer } from "../../git/lfs-pointer.js";
import { readBlobs } from "../../git/read-blobs.js";
import { repositoryFolder, repositoryRoot } from "../../git/repository.js";
import { resolveCommit, startGit } from "../../git/run-git.js";
import { renamedLocks } from "../../git/renamed-locks.js";
import { isInPlace } from "../others/state-elsewhere.js";
import { formerFolders } from "./former-folders.js";

/** Reads the state of a commit, and as the fork that of its merge base with HEAD; throws GitError if it is unknown. */
export async function readBaseFrom(directory: string, ref: string, settings: Settings) {
  const { store } = settings.lock;
  if (store !== "file") {
    const where = store === "git" ? "on a separate ref" : "on a server";
    throw new GitError(
      `--lock-from reads the lock file of a commit, but this workspace keeps its lock ${where}`,
    );
  }
  const commit = await resolveCommit(directory, ref);
  const base = await readCommit(directory, commit, settings);
  const forkedAt = await mergeBase(directory, commit);
  // If git finds no merge base, every difference of the working tree counts as an edit of the change.
  const isSame = forkedAt === undefined || forkedAt === commit;
  const fork = isSame ? base : await readCommit(directory, forkedAt, settings);
  return { base, fork, source: `${lockFileName(settings)} of ${ref}` };
}

/** Reads a commit's state under any former name; undefined unless in files. Throws GitError for an unknown commit. */
export async function readCommittedState(directory: string, ref: string, settings: Settings) {
  if (settings.lock.store !== "file") return undefined;
  const commit = await resolveCommit(directory, ref);
  return await readAt(directory, commit, await pathIn(directory, commit, settings, true));
}

/** What a commit has, of which no apply is running. */
type CommittedState = Omit<StoredState, "holder">;

async function mergeBase(directory: string, commit: string): Promise<string | undefined> {
  const { code, stdout } = await startGit(directory, ["merge-base", commit, "HEAD"]);
  return code === 0 ? stdout.toString().trim() : undefined;
}

// What only looks like it is the state of another workspace.
async function readCommit(directory: string, commit: string, settings: Settings): Promise<CommittedState> {
  const path = await pathIn(directory, commit, settings);
  const state = await readAt(directory, commit, path);
  const isOwn =
    path === ownPath(directory, settings) || lineagesOf([state.lock], ownerOf(settings))().size > 0;
  return isOwn ? state : { lock: null, journal: null, version: null };
}

async function readAt(directory: string, commit: string, path: string): Promise<CommittedState> {
  const [lock = null, journal = null] = await readFiles(directory, commit, [path, `${path}.journal`]);
  return { lock, journal, version: lock === null ? null : contentDigest(lock) };
}

function ownPath(directory: string, settings: Settings): string {
  return `${repositoryFolder(directory)}${lockFileName(settings)}`;
}

// What git has under another name since is in the commit under the old one: the folder of the workspace was moved, or
// the environment renamed. A lock with the present names comes before others. One that is still in its place is that of
// another workspace, and what this one has at most a copy of it.
async function pathIn(
  directory: string,
  commit: string,
  settings: Settings,
  mayBeCopy = false,
): Promise<string> {
  const own = ownPath(directory, settings);
  const renamed = renamedLocks(directory, commit).flatMap(({ from, to }) => (to === own ? [from] : []));
  const folders = await formerFolders(directory, commit);
  const paths = [...new Set([...renamed, ...folders.map((folder) => `${folder}${lockFileName(settings)}`)])];
  if (paths.length === 1) return paths[0] ?? own;
  const [present = null] = await readBlobs(directory, [`:${own}`]);
  if (present === null) return renamed[0] ?? own;
  const lineage = ownerInText(present)?.lineage;
  const root = repositoryRoot(directory) ?? "";
  const locks = await readFiles(directory, commit, paths);
  const found = paths.flatMap((path, index): FoundLock[] => {
    const lock = locks[index] ?? null;
    const owner = ownerInText(lock);
    const isLeft = path === own || !isInPlace(root, path, owner) || (mayBeCopy && owner?.lineage === lineage);
    return lock !== null && isLeft ? [{ path, serial: serialIn(lock) ?? 0, owner }] : [];
  });
  const owned = newestOf(found.filter(({ owner }) => owner && isSameOwner(owner, ownerOf(settings))));
  const newest = newestOf(found.filter(({ owner }) => owner?.lineage === lineage));
  return (owned ?? newest ?? found[0])?.path ?? own;
}

/** A lock that a commit has, and whose it is, as far as that can be read. */
interface FoundLock {
  readonly path: string;
  readonly serial: number;
  readonly owner: ReturnType<typeof ownerInText>;
}

// A backup has the name of its workspace, too, and what was in force before.
function newestOf(locks: readonly FoundLock[]): FoundLock | undefined {
  const lineage = locks[0]?.owner?.lineage;
  const versions = locks.filter(({ owner }) => owner?.lineage === lineage);
  return versions.toSorted((a, b) => b.serial - a.serial)[0];
}

// Blobs are read raw: showing a file of a commit may run programs that the attributes of the commit name.
async function readFiles(
  directory: string,
  commit: string,
  paths: readonly string[],
): Promise<(string | null)[]> {
  const files = await filesIn(directory, commit, paths);
  const ids = paths.map((path) => files.find(({ file, type }) => file === path && type !== "submodule")?.id);
  const texts = await readBlobs(
    directory,
    ids.filter((id) => id !== undefined),
  );
  // Without it everything would look new.
  if (texts.some((text) => text === null || isLfsPointer(text))) throw new GitObjectsError();
  const inOrder = texts.values();
  return ids.map((id) => (id === undefined ? null : (inOrder.next().value ?? null)));
}
