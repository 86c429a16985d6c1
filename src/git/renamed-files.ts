import { runGit } from "./run-git.js";

/** A file that git has under another name since a commit; both names are from the top of the repository. */
export interface RenamedFile {
  readonly from: string;
  readonly to: string;
}

/** Gives the files below the top that fit a pattern such as `*.lock` and were renamed since a commit. Throws GitError. */
export async function renamedFiles(
  directory: string,
  commit: string,
  pattern: string,
): Promise<RenamedFile[]> {
  const args = ["diff-index", "--cached", "-M", "--diff-filter=R", "--name-status", "-z", commit];
  const fits = `:(top,glob)**/${pattern}`;
  const listed = await runGit(directory, ["--no-literal-pathspecs", ...args, "--", fits]);
  return [...listed.matchAll(/R\d*\0([^\0]+)\0([^\0]+)\0/g)].map(([, from = "", to = ""]) => ({ from, to }));
}
