import { askGit } from "./ask-git.js";
import { GitError } from "./git-process.js";
import { repositoryFolder } from "./repository.js";

/**
 * Gives the paths that git tracks at or below a path of a folder, in the index or in the checked-out commit, from
 * the top of the repository. Upper and lower case are equal, as on file systems that ignore case. Empty if there
 * is no repository or no git. Throws GitError if git refuses to answer.
 */
export function trackedNames(directory: string, path: string): readonly string[] {
  const list = (...more: readonly string[]) => {
    const pattern = `:(top,literal,icase)${repositoryFolder(directory)}${path}`;
    return askGit(directory, [
      "--no-literal-pathspecs",
      "ls-files",
      "--cached",
      "-z",
      ...more,
      "--",
      pattern,
    ]);
  };
  // Before the first commit there is only the index.
  const first = list("--with-tree=HEAD");
  const outcome = first === undefined || first.code === 0 ? first : list();
  if (outcome === undefined) return [];
  if (outcome.code !== 0) throw new GitError("git cannot list the files that it tracks");
  return [...new Set(outcome.stdout.toString().split("\0"))].filter((name) => name !== "");
}
