import { gitCall } from "./git-call.js";
import { failureOf, GitMissingError, GitObjectsError, spawnGitSync } from "./git-process.js";
import { tooLarge } from "./read-blobs.js";
import { findRepository } from "./repository.js";

/** A ref by its full name, or whatever a person calls a commit. */
export type CommitName = { readonly ref: string } | { readonly revision: string };

/**
 * Reads the text of a file in a commit as a raw object, null if there is none, or no such commit or repository; the path
 * is from the top of the repository. Nothing that the repository's configuration names is run. Throws GitError where this
 * clone lacks it, or it has more than so many bytes.
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

/**
 * The arguments that ask for a ref by its full name. Where there is none, `rev-parse` takes for it what ends in the
 * name, such as the tag `refs/tags/refs/…`, which anybody may push.
 */
export function refArgs(name: string): string[] {
  return ["for-each-ref", "--format=%(objecttype) %(objectname) %(refname)", name];
}

/** Gives the commit in the answer; undefined if there is no such ref, or one of something else. */
export function refCommit(answer: string, name: string): string | undefined {
  const lines = answer.split("\n").map((line) => line.split(" "));
  return lines.find(([type, , ref]) => type === "commit" && ref === name)?.[1];
}
