import { realpathSync } from "node:fs";
import { searchCall } from "./git-call.js";
import { GitError, spawnGitSync } from "./git-process.js";
import { findRepository, type Repository } from "./repository.js";

const opened = new Map<string, Repository>();

/** Gives the repository of a folder, once git has said that it may be trusted; throws GitError. */
export function openRepository(directory: string): Repository {
  const known = opened.get(directory);
  if (known) return known;
  const found = findRepository(directory);
  if (!found) throw new GitError("the workspace is in no git repository");
  checkTrust(found);
  opened.set(directory, found);
  return found;
}

// Git refuses what belongs to another user, unless the user's `safe.directory` allows it. It does so where it finds
// a repository by itself, and not where it is told of one.
function checkTrust(found: Repository): void {
  const { code, stdout, stderr } = spawnGitSync(searchCall(found));
  if (code === 0 && realpathSync(stdout.toString().trim()) === found.gitDir) return;
  throw new GitError(
    stderr.includes("dubious ownership")
      ? `the repository belongs to another user; if you trust it: \`git config --global --add safe.directory ${found.root}\``
      : "the workspace is in no git repository, or in one that git refuses",
  );
}
