import type { StoredState } from "../core/lock-store.js";
import type { Settings } from "../core/manifest.js";
import { GitError } from "../git/git-process.js";
import { repositoryFolder } from "../git/repository.js";
import { resolveCommit, runGit } from "../git/run-git.js";
import { lockFileName } from "./open-store.js";

/** Reads the lock, and a journal beside it, as a commit has them: whoever wrote the working tree has no say in it. */
export async function readLockFrom(
  directory: string,
  ref: string,
  settings: Settings,
): Promise<StoredState & { readonly source: string }> {
  if (settings.lock.store === "git") {
    throw new GitError(
      "--lock-from reads a lock file of a commit, and this workspace keeps its lock on a ref of its own",
    );
  }
  const commit = await resolveCommit(directory, ref);
  const file = lockFileName(settings);
  const [lock, journal] = await Promise.all([
    readBlob(directory, commit, file),
    readBlob(directory, commit, `${file}.journal`),
  ]);
  return { lock, journal, version: null, holder: null, source: `${file} of ${ref}` };
}

// The blob is read as it is: what shows a file of a commit to people may run what the attributes of it name.
async function readBlob(directory: string, commit: string, file: string): Promise<string | null> {
  const path = `${repositoryFolder(directory)}${file}`;
  const listed = await runGit(directory, ["ls-tree", "-z", "--full-tree", commit, "--", path]);
  const [, blob] = /^\d+ blob ([0-9a-f]+)\t/.exec(listed) ?? [];
  return blob === undefined ? null : await runGit(directory, ["cat-file", "blob", blob]);
}
