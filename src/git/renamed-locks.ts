import { gitCall } from "./git-call.js";
import { failureOf, spawnGitSync } from "./git-process.js";
import { openRepository } from "./run-git.js";

/** The pattern of the lock files of all folders. */
export const lockFiles = ":(top,glob)**/agentform*.lock";

/** Gives the lock files that were renamed since a commit, both names from the top of the repository. Throws GitError. */
export function renamedLocks(
  directory: string,
  commit: string,
): { readonly from: string; readonly to: string }[] {
  const args = ["diff-index", "--cached", "-M", "--diff-filter=R", "--name-status", "-z", commit];
  const all = ["--no-literal-pathspecs", ...args, "--", lockFiles];
  const outcome = spawnGitSync(gitCall(openRepository(directory), all));
  if (outcome.code !== 0) throw failureOf(outcome);
  const listed = outcome.stdout.toString();
  return [...listed.matchAll(/R\d*\0([^\0]+)\0([^\0]+)\0/g)].map(([, from = "", to = ""]) => ({ from, to }));
}
