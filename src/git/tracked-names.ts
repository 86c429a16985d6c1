import { askGit } from "./ask-git.js";
import { GitError } from "./git-process.js";
import { repositoryFolder } from "./repository.js";

/**
 * Gives what git tracks at or below a path of a folder, in the index or in the commit that is checked out, by the
 * names from the top of the repository. Upper case counts as lower, as for file systems that do the same. Empty
 * where there is no repository or no git. Throws GitError where git refuses to answer.
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
  // Before the first commit there is the index alone.
  const first = list("--with-tree=HEAD");
  const outcome = first === undefined || first.code === 0 ? first : list();
  if (outcome === undefined) return [];
  if (outcome.code !== 0) throw new GitError("git does not say which files it tracks");
  return [...new Set(outcome.stdout.toString().split("\0"))].filter((name) => name !== "");
}
