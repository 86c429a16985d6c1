import { existsSync } from "node:fs";
import { join } from "node:path";
import { gitCall } from "./git-call.js";
import { GitError, GitMissingError, spawnGitSync } from "./git-process.js";
import { findRepository, repositoryFolder, repositoryRoot } from "./repository.js";

/**
 * Gives what git ignores and does not track below a folder, as paths from there, an ignored folder without
 * its content. Empty without a repository, or if the whole folder is ignored; throws GitError if git cannot
 * answer.
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

/** Gives what git has below a folder and the checkout lacks: files of a sparse checkout, and submodules with `/`. */
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
 * Gives what git tracks at or below a path, in the index or the commit, from the repository's top. Case is
 * ignored, as file systems may. Empty without a repository; throws GitError if git cannot answer.
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

/** Gives the files of some names anywhere in a repository that git does not ignore, from its top; empty if it cannot. */
export function filesNamed(directory: string, ...names: readonly string[]): readonly string[] {
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
    const listed = list(directory, [...args, ...names.map((name) => `:(top,glob)**/${name}`)]) ?? [];
    return [...new Set(listed)].filter(isName).toSorted();
  } catch (thrown) {
    if (thrown instanceof GitMissingError) return [];
    throw thrown;
  }
}

/** Lists files from a repository's top, running nothing that it configures; none without one, undefined if refused. */
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
