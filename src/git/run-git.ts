import { gitCall, type GitReach, searchCall } from "./git-call.js";
import {
  failureOf,
  GitError,
  spawnGit,
  type GitInput,
  type GitOutcome,
  spawnGitSync,
} from "./git-process.js";
import { realPath } from "../disk/real-path.js";
import { findRepository, type Repository } from "./repository.js";

const opened = new Map<string, Repository>();
const trusted = new Set<string>();

/** Gives the repository of a folder, if git trusts its owner; throws GitError. */
export function openRepository(directory: string): Repository {
  const known = opened.get(directory);
  if (known) return known;
  const found = findRepository(directory);
  if (!found) throw new GitError("the workspace is not in a git repository");
  // Each folder may ask, and git takes a process to say of one work tree what it said before.
  const workTree = `${found.root}\0${found.gitDir}`;
  if (!trusted.has(workTree)) checkTrust(found);
  trusted.add(workTree);
  opened.set(directory, found);
  return found;
}

// Git refuses a repository of another user unless the user's `safe.directory` allows it. It does so only for a
// repository that it finds by itself, not for one that it is given.
function checkTrust(found: Repository): void {
  const { code, stdout, stderr } = spawnGitSync(searchCall(found));
  if (code === 0 && realPath(stdout.toString().trim()) === found.gitDir) return;
  throw new GitError(
    stderr.includes("dubious ownership")
      ? `the repository belongs to another user; if you trust it: \`git config --global --add safe.directory ${found.root}\``
      : "the workspace is not in a git repository that git accepts",
  );
}

/** The options of a run of git in a repository. */
export interface GitRunOptions extends GitInput {
  /** How far it may reach; only this repository unless given. */
  readonly reach?: GitReach;
}

/** Runs git at the top of a repository, successful or not; throws GitError if it cannot be started. */
export async function startGit(
  directory: string,
  args: readonly string[],
  { reach, ...input }: GitRunOptions = {},
): Promise<GitOutcome> {
  return await spawnGit(gitCall(openRepository(directory), args, reach), input);
}

/** Does the same and gives the output; throws GitError if git fails. */
export async function runGit(
  directory: string,
  args: readonly string[],
  input: GitRunOptions = {},
): Promise<string> {
  const outcome = await startGit(directory, args, input);
  if (outcome.code === 0) return outcome.stdout.toString();
  throw failureOf(outcome);
}

/** Resolves what a person calls a commit; never takes it for an option, and throws GitError if it is a name of several. */
export async function resolveCommit(directory: string, ref: string): Promise<string> {
  const args = ["-c", "core.warnAmbiguousRefs=true", "rev-parse", "--verify", "--end-of-options"];
  const { code, stdout, stderr } = await startGit(directory, [...args, `${ref}^{commit}`]);
  if (code !== 0) throw new GitError(`git knows no commit \`${ref}\` in this repository`);
  // Git takes a tag, which anybody may push, before a branch. These mean one thing whatever there is beside them.
  const [name = ""] = ref.split(/[~^:@]/, 1);
  const isClear = /^(|HEAD|refs\/.*|[0-9a-f]{40}|[0-9a-f]{64})$/.test(name);
  if (!isClear && stderr.includes("is ambiguous"))
    throw new GitError(
      `git knows several \`${name}\` in this repository: give its full name, such as \`refs/heads/${name}\` of a branch`,
    );
  return stdout.toString().trim();
}
