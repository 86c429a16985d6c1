import { gitCall } from "./git-call.js";
import { failureOf, GitMissingError, GitObjectsError, spawnGitSync } from "./git-process.js";
import { tooLarge } from "./read-blobs.js";
import { findRepository } from "./repository.js";

/** A ref by its full name, or whatever a person calls a commit. */
export type CommitName = { readonly ref: string } | { readonly revision: string };

/**
 * Reads a file of a commit as a raw object, which runs nothing of the repository; null if there is none. The
 * path is from the repository's top. Throws GitError where this clone lacks it, or it is larger than `most`.
 */
export function readTextInGit(
  directory: string,
  name: CommitName,
  path: string,
  most: number,
): string | null {
  const commit =
    "ref" in name
      ? refCommit(ask(directory, refArgs(name.ref)) ?? "", name.ref)
      : commitOf(directory, name.revision);
  if (commit === undefined) return null;
  const object = `${commit}:${path}`;
  const size = ask(directory, ["cat-file", "-s", object]);
  if (size === undefined) return null;
  if (Number(size) > most) throw tooLarge(Number(size), most);
  return ask(directory, ["cat-file", "blob", object]) ?? null;
}

/** Gives the ID of what a person calls a commit; undefined if there is no such commit, or no repository. */
export function commitOf(directory: string, revision: string): string | undefined {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  return ask(directory, args)?.trim();
}

function ask(directory: string, args: readonly string[]): string | undefined {
  const repository = findRepository(directory);
  if (!repository) return undefined;
  try {
    const outcome = spawnGitSync(gitCall(repository, args));
    if (outcome.code === 0) return outcome.stdout.toString();
    const failure = failureOf(outcome);
    if (failure instanceof GitObjectsError) throw failure;
    return undefined;
  } catch (thrown) {
    if (thrown instanceof GitMissingError) return undefined;
    throw thrown;
  }
}

/** Asks for a ref by its full name: else `rev-parse` may take the tag `refs/tags/refs/…`, which anybody may push. */
export function refArgs(name: string): string[] {
  return ["for-each-ref", "--format=%(objecttype) %(objectname) %(refname)", name];
}

/** Gives the commit in the answer; undefined if there is no such ref, or one of something else. */
export function refCommit(answer: string, name: string): string | undefined {
  const lines = answer.split("\n").map((line) => line.split(" "));
  return lines.find(([type, , ref]) => type === "commit" && ref === name)?.[1];
}
