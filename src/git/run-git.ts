import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Git could not answer: it is not installed, this is no repository, or there is no such commit. */
export class GitError extends Error {
  override readonly name = "GitError";
}

/** Runs git in a folder and gives what it prints. */
export async function runGit(directory: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run("git", ["-C", directory, ...args], { maxBuffer: 256 * 1024 * 1024 });
    return stdout;
  } catch (cause) {
    const { code, stderr = "" } = cause as { code?: unknown; stderr?: string };
    if (code === "ENOENT") throw new GitError("git is not installed");
    throw new GitError(stderr.trim().split("\n", 1)[0] || "git failed");
  }
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
