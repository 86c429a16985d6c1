import { gitCall } from "./git-call.js";
import { GitMissingError, spawnGitSync, type GitOutcome } from "./git-process.js";
import { findRepository } from "./repository.js";

/**
 * Asks git about the files of a folder's repository, whoever owns it: nothing that its configuration names is run
 * for the answer. Undefined if there is no repository or no git. Paths are relative to the top.
 */
export function askGit(directory: string, args: readonly string[]): GitOutcome | undefined {
  const repository = findRepository(directory);
  if (repository === undefined) return undefined;
  try {
    return spawnGitSync(gitCall(repository, args));
  } catch (thrown) {
    if (thrown instanceof GitMissingError) return undefined;
    throw thrown;
  }
}
