import { existsSync } from "node:fs";
import { join } from "node:path";
import { gitCall } from "./git-call.js";
import { GitError, GitMissingError, spawnGitSync } from "./git-process.js";
import { findRepository, repositoryFolder, repositoryRoot } from "./repository.js";

/**
 * Gives the files and folders below a folder that git ignores and does not track, as paths from there; an ignored
 * folder is named without its content. Empty if there is no repository, or if the whole folder is ignored, so that it
 * comes from no commit. Throws GitError if git refuses to answer, or is not installed.
 */
export function ignoredNames(directory: string): ReadonlySet<string> {
  return namesOfOthers(directory, ["--ignored"], "git cannot list the files that it ignores");
}

/** Gives the files and folders that git neither tracks nor ignores, in the same way. */
export function untrackedNames(directory: string): ReadonlySet<string> {
  return namesOfOthers(directory, [], "git cannot list the files that it does not have");
}

function namesOfOthers(directory: string, which: readonly string[], failure: string): ReadonlySet<string> {
  const folder = repositoryFolder(directory);
  const args = ["--others", ...which, "--exclude-standard", "--directory", "-z", "--", folder || "."];
  const names = list(directory, ["ls-files", ...args]);
  if (!names) throw new GitError(failure);
  const below = names.filter((name) => name.startsWith(folder));
  return new Set(below.map((name) => name.slice(folder.length).replace(/\/$/, "")).filter(isName));
}

/**
 * Gives what git has at or below a folder and the checkout leaves out, as paths from there: files of which a sparse
 * checkout has none, and submodules that are not fetched, with `/` at the end. Git is
 * asked only where there may be one or the other: by its own files, or where a folder is empty.
 */
export function leftOutNames(directory: string, hasEmptyFolder: boolean): readonly string[] {
  const repository = findRepository(directory);
  if (!repository) return [];
  const { root, gitDir } = repository;
  const signs = [join(gitDir, "info/sparse-checkout"), join(root, ".gitmodules")];
  if (!hasEmptyFolder && !signs.some((sign) => existsSync(sign))) return [];
  const folder = repositoryFolder(directory);
  const entries = list(directory, ["ls-files", "--cached", "-t", "-s", "-z", "--", folder || "."]) ?? [];
  return entries.flatMap((entry) => {
    const [, tag, mode, path = ""] = /^(\S) (\d+) \S+ \d\t(.*)$/s.exec(entry) ?? [];
    const isSubmodule = mode === "160000";
    const isHere = existsSync(join(root, path, isSubmodule ? ".git" : ""));
    if (isHere || !path.startsWith(folder) || (tag !== "S" && !isSubmodule)) return [];
    return [`${path.slice(folder.length)}${isSubmodule ? "/" : ""}`];
  });
}

/**
 * Gives the paths that git tracks at or below a path of a folder, in the index or in the checked-out commit, from
 * the top of the repository. Upper and lower case are equal, as on file systems that ignore case. Empty if there
 * is no repository. Throws GitError if git refuses to answer, or is not installed.
 */
export function trackedNames(directory: string, path: string): readonly string[] {
  const pattern = `:(top,literal,icase)${repositoryFolder(directory)}${path}`;
  const listTracked = (...more: readonly string[]) =>
    list(directory, ["--no-literal-pathspecs", "ls-files", "--cached", "-z", ...more, "--", pattern]);
  // Before the first commit there is only the index.
  const names = listTracked("--with-tree=HEAD") ?? listTracked();
  if (!names) throw new GitError("git cannot list the files that it tracks");
  return [...new Set(names)].filter(isName);
}

/**
 * Gives the files of a name anywhere in a folder's repository that git does not ignore, from its top. Empty if there is
 * no repository or no git, or where git refuses to answer.
 */
export function filesNamed(directory: string, name: string): readonly string[] {
  const args = [
    "--no-literal-pathspecs",
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    "-z",
    "--",
  ];
  try {
    return [...new Set(list(directory, [...args, `:(top,glob)**/${name}`]) ?? [])].filter(isName).toSorted();
  } catch (thrown) {
    if (thrown instanceof GitMissingError) return [];
    throw thrown;
  }
}

/**
 * Lists files of a folder's repository, whoever owns it: nothing that its configuration names is run for the answer.
 * None if there is no repository, undefined if git refuses. Paths are relative to the top. Throws GitError if git cannot
 * be started.
 */
function list(directory: string, args: readonly string[]): readonly string[] | undefined {
  const repository = findRepository(directory);
  // Where `.git` leads nowhere, such as that of a work tree without its repository, git refuses.
  if (repository === undefined) return repositoryRoot(directory) === undefined ? [] : undefined;
  const { code, stdout } = spawnGitSync(gitCall(repository, args));
  return code === 0 ? stdout.toString().split("\0") : undefined;
}

function isName(name: string): boolean {
  return name !== "";
}
