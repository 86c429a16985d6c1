import { realpathSync } from "node:fs";
import { searchCall } from "./git-call.js";
import { GitError, spawnGitSync } from "./git-process.js";
import { findRepository, type Repository } from "./repository.js";

const opened = new Map<string, Repository>();

/** Gives the repository of a folder, if git trusts its owner; throws GitError. */
export function openRepository(directory: string): Repository {
  const known = opened.get(directory);
  if (known) return known;
  const found = findRepository(directory);
  if (!found) throw new GitError("the workspace is not in a git repository");
  checkTrust(found);
  opened.set(directory, found);
  return found;
}

// Git refuses a repository of another user unless the user's `safe.directory` allows it. It does so only for a
// repository that it finds by itself, not for one that it is given.
function checkTrust(found: Repository): void {
  const { code, stdout, stderr } = spawnGitSync(searchCall(found));
  if (code === 0 && realpathSync(stdout.toString().trim()) === found.gitDir) return;
  throw new GitError(
    stderr.includes("dubious ownership")
      ? `the repository belongs to another user; if you trust it: \`git config --global --add safe.directory ${found.root}\``
      : "the workspace is not in a git repository that git accepts",
  );
}
