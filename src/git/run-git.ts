import { gitCall, type GitReach } from "./git-call.js";
import { GitError, spawnGit, type GitInput, type GitOutcome } from "./git-process.js";
import { openRepository } from "./open-repository.js";

/** The options of a run of git in a repository. */
export interface GitRunOptions extends GitInput {
  /** How far it may reach; only this repository unless given. */
  readonly reach?: GitReach;
}

/**
 * Runs git at the top of the repository of a folder to its end, successful or not; paths are relative to the top.
 * Throws GitError if it cannot be started.
 */
export async function startGit(
  directory: string,
  args: readonly string[],
  { reach, ...input }: GitRunOptions = {},
): Promise<GitOutcome> {
  return await spawnGit(gitCall(openRepository(directory), args, reach), input);
}

/** Does the same and gives the output; throws GitError if git fails. */
export async function runGit(
  directory: string,
  args: readonly string[],
  input: GitRunOptions = {},
): Promise<string> {
  const { code, stdout, stderr, isTimedOut } = await startGit(directory, args, input);
  if (code === 0) return stdout.toString();
  throw new GitError(
    isTimedOut ? "git did not end in time" : stderr.trim().split("\n", 1)[0] || "git failed",
  );
}

/** Resolves a reference to a commit; never takes it for an option. */
export async function resolveCommit(directory: string, ref: string): Promise<string> {
  try {
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
    return (await runGit(directory, args)).trim();
  } catch (cause) {
    if (cause instanceof GitError && cause.message === "git failed") {
      throw new GitError(`git knows no commit \`${ref}\` in this repository`);
    }
    throw cause;
  }
}
