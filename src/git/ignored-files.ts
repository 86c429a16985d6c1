import { relative, sep } from "node:path";
import { gitCall } from "./git-call.js";
import { GitError, spawnGitSync } from "./git-process.js";
import { openRepository } from "./open-repository.js";
import { findRepository, type Repository } from "./repository.js";

/**
 * Gives those files of a folder that git ignores and does not track; empty where the folder is in no repository.
 * The files are absolute and real paths at or below the folder. Throws GitError where git refuses to answer.
 */
export function ignoredFiles(directory: string, files: readonly string[]): ReadonlySet<string> {
  if (files.length === 0 || findRepository(directory) === undefined) return new Set();
  const repository = openRepository(directory);
  const named = new Map(files.map((file) => [nameOf(file, repository), file]));
  // It takes no patterns, and refuses to be told that these are none.
  const args = ["--no-literal-pathspecs", "check-ignore", "-z", "--stdin"];
  const { code, stdout, stderr } = spawnGitSync(
    gitCall(repository, args),
    [...named.keys()].map((name) => `${name}\0`).join(""),
  );
  // With 1 it says that it ignores none of them.
  if (code !== 0 && code !== 1) throw new GitError(stderr.trim().split("\n", 1)[0] || "git failed");
  return new Set(
    stdout
      .toString()
      .split("\0")
      .flatMap((name) => named.get(name) ?? []),
  );
}

// What begins with a colon would be taken for more than a name.
function nameOf(file: string, { root }: Repository): string {
  return `./${relative(root, file).split(sep).join("/")}`;
}
