import type { StoredState } from "../core/lock-store.js";
import type { Settings } from "../core/manifest.js";
import { GitError } from "../git/git-process.js";
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

async function readBlob(directory: string, commit: string, file: string): Promise<string | null> {
  const listed = await runGit(directory, ["ls-tree", "--name-only", "-z", commit, "--", file]);
  if (listed === "") return null;
  return await runGit(directory, ["show", `${commit}:./${file}`]);
}
