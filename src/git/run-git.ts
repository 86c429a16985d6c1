import { GitError, startGit, type GitInput } from "./git-process.js";

/** Runs git in a folder and gives what it prints; throws GitError where it fails. */
export async function runGit(
  directory: string,
  args: readonly string[],
  input: GitInput = {},
): Promise<string> {
  const { code, stdout, stderr, isTimedOut } = await startGit(directory, args, input);
  if (code === 0) return stdout.toString();
  throw new GitError(
    isTimedOut ? "git did not end in time" : stderr.trim().split("\n", 1)[0] || "git failed",
  );
}

/** Gives the commit that a reference names; never takes it for an option. */
export async function resolveCommit(directory: string, ref: string): Promise<string> {
  try {
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
    return (await runGit(directory, args)).trim();
  } catch (cause) {
    if (cause instanceof GitError && cause.message === "git failed") {
      throw new GitError(`git knows no commit \`${ref}\` here`);
    }
    throw cause;
  }
}
