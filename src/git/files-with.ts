import { failureOf } from "./git-process.js";
import { startGit } from "./run-git.js";

/** Gives the files of a commit that fit a pattern such as `*.lock` and have one of some texts in a line. Throws GitError. */
export async function filesWith(
  directory: string,
  commit: string,
  pattern: string,
  texts: readonly string[],
): Promise<string[]> {
  if (texts.length === 0) return [];
  const how = ["-l", "-z", "-F", "--text", "--no-color", "--no-recurse-submodules", "--full-name"];
  const args = [...how, ...texts.flatMap((text) => ["-e", text]), commit, "--", `:(top,glob)**/${pattern}`];
  const outcome = await startGit(directory, ["--no-literal-pathspecs", "grep", ...args]);
  // It ends with 1 if no file has any.
  if (outcome.code !== 0 && outcome.code !== 1) throw failureOf(outcome);
  const found = outcome.stdout.toString().split("\0");
  return found.flatMap((file) => (file === "" ? [] : file.slice(commit.length + 1)));
}
