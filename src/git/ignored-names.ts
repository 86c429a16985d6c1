import { askGit } from "./ask-git.js";
import { GitError } from "./git-process.js";
import { repositoryFolder } from "./repository.js";

const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z", "--"];

/**
 * Gives the files and folders below a folder that git ignores and does not track, as paths from there; an ignored
 * folder is named without its content. Empty if there is no repository or no git, or if the whole folder is
 * ignored, so that it comes from no commit. Throws GitError if git refuses to answer.
 */
export function ignoredNames(directory: string): ReadonlySet<string> {
  const folder = repositoryFolder(directory);
  const outcome = askGit(directory, [...args, folder || "."]);
  if (outcome === undefined) return new Set();
  if (outcome.code !== 0) throw new GitError("git cannot list the files that it ignores");
  const names = outcome.stdout.toString().split("\0");
  return new Set(
    names.flatMap((name) => {
      const below = name.startsWith(folder) ? name.slice(folder.length).replace(/\/$/, "") : "";
      return below === "" ? [] : [below];
    }),
  );
}
