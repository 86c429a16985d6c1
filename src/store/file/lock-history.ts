import { say, bare } from "../../core/finding/said.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StoreFailedError, type Branches, type OtherState } from "../../core/state/lock-store.js";
import type { ConflictSides } from "../../core/state/conflict-sides.js";
import { findRepository, isShallowClone, repositoryFolder, type Repository } from "../../git/repository.js";
import { locksWith } from "../../git/commit-files.js";
import { GitObjectsError, largestText } from "../../git/git-process.js";
import { isLfsPointer } from "../../git/lfs-pointer.js";
import { readBlobs, sizesOfBlobs } from "../../git/read-blobs.js";
import { runGit, startGit } from "../../git/run-git.js";
import { unlessFailing } from "../../disk/unless-failing.js";

// The limits of one look: commits, and bytes of locks and journals.
const mostCommits = 2000;
const mostText = 1_000_000_000;
/** The most places of a lock that has moved, and commits in which each is looked for. */
const mostMoves = 20;

/** Gives the commits whose history counts: the checked-out one, and one that is being merged into it. */
export async function headsOf(directory: string): Promise<readonly string[]> {
  const repository = findRepository(directory);
  if (!repository) return [];
  const { stdout } = await startGit(directory, ["rev-parse", "--revs-only", "HEAD", "HEAD^{commit}"]);
  const [named, head] = linesOf(stdout.toString());
  if (head !== undefined) return [head, ...mergedInto(repository)];
  // A repository without a commit has no history yet; one that lacks the commit has some.
  if (named !== undefined) throw new GitObjectsError();
  return [];
}

function mergedInto({ gitDir }: Repository): string[] {
  const text = unlessFailing(() => readFileSync(join(gitDir, "MERGE_HEAD"), "utf8"));
  return text?.match(/^[0-9a-f]{40,64}$/gm) ?? [];
}

/** Versions of a lock, newest first. */
interface CommittedVersions {
  readonly states: readonly OtherState[];
  /** Whether there may be more. */
  readonly isCut: boolean;
  /** Whether this clone has the whole history, so that nothing that is fetched later can bring more of it. */
  readonly isWhole: boolean;
}

/** Reads a lock and its journal in commits under `heads` and no known ones, newest first; throws GitError. */
export async function readLockHistory(
  directory: string,
  file: string,
  heads: readonly string[],
  known: readonly string[] = [],
  marks: () => readonly string[] = () => [],
): Promise<CommittedVersions> {
  const places = [`${repositoryFolder(directory)}${file}`];
  const all: CommittedVersions[] = [];
  // Where a commit has taken the lock away, the state may have gone on in another folder, and come back without it.
  for (const lock of places) {
    if (all.length === mostMoves) break;
    const read = await readPlace(directory, lock, heads, known);
    all.push(read);
    const gone = read.states.filter((state) => state.lock === null && state.journal === null);
    for (const { where } of gone.slice(0, mostMoves)) {
      const found = locksWith(directory, where, marks());
      places.push(...found.filter((each) => !places.includes(each)));
    }
  }
  return {
    states: all.flatMap(({ states }) => states),
    isCut: all.some(({ isCut }) => isCut),
    isWhole: all.every(({ isWhole }) => isWhole),
  };
}

async function readPlace(
  directory: string,
  lock: string,
  heads: readonly string[],
  known: readonly string[],
): Promise<CommittedVersions> {
  const journal = `${lock}.journal`;
  const range = [...heads, ...known.map((commit) => `^${commit}`)];
  const args = ["rev-list", "--full-history", `--max-count=${mostCommits}`, "--ignore-missing", ...range];
  // Before it is listed: what a fetch brings meanwhile is looked at the next time.
  const repository = findRepository(directory);
  const isWhole = repository !== undefined && !isShallowClone(repository);
  const listed = await runGit(directory, [...args, "--", lock, journal]);
  const commits = linesOf(listed);
  const { states, isWhole: isRead } = await readStates(directory, commits, lock, journal);
  return { states, isCut: !isWhole || commits.length === mostCommits || !isRead, isWhole };
}

/** Reads a lock and its journal at the tips of some branches, each once, also one with its marks in another folder of a tip. Throws GitError, and StoreFailedError if they are too large. */
export async function readBranches(
  directory: string,
  file: string,
  which: CommittedBranches,
  marks: () => readonly string[] = () => [],
): Promise<OtherState[]> {
  if (!findRepository(directory)) return [];
  const lock = `${repositoryFolder(directory)}${file}`;
  const names = await tips[which](directory);
  const { states, isWhole } = await readStates(directory, [...names.keys()], lock, `${lock}.journal`);
  if (!isWhole && which === "all") {
    throw new StoreFailedError(
      say`the locks of all branches have more than ${bare({ limit: mostText }, `${mostText / 1_000_000} MB`)}, too much to find who uses an object`,
      "delete the branches that are not needed",
    );
  }
  // The tips of all branches are many, and are looked at only where nothing was applied here.
  const gone = which === "all" ? [] : states.filter((state) => state.lock === null && state.journal === null);
  for (const { where } of gone) {
    const found = locksWith(directory, where, marks());
    for (const moved of found.slice(0, mostMoves)) {
      states.push(...(await readStates(directory, [where], moved, `${moved}.journal`)).states);
    }
  }
  return states.map((state) => ({ ...state, where: names.get(state.where) ?? state.where }));
}

/** Branches as commits have them. */
type CommittedBranches = Exclude<Branches, "beside">;

/** Finds the commits at the tips of branches, each with how messages name where it is. */
const tips: Readonly<Record<CommittedBranches, (directory: string) => Promise<ReadonlyMap<string, string>>>> =
  {
    async all(directory) {
      const format = "--format=%(objectname) branch %(refname:short)";
      const args = ["for-each-ref", `--count=${mostCommits}`, "--sort=-committerdate", format];
      const listed = await runGit(directory, [...args, "refs/heads", "refs/remotes"]);
      const names = new Map<string, string>();
      for (const line of linesOf(listed)) {
        const [commit = ""] = line.split(" ", 1);
        // Of several branches at one commit, the first names it.
        if (!names.has(commit)) names.set(commit, line.slice(commit.length + 1));
      }
      return names;
    },
    async followed(directory) {
      const args = ["rev-parse", "--abbrev-ref", "--verify", "--quiet", "@{upstream}"];
      const { code, stdout } = await startGit(directory, args);
      return named(code === 0 ? stdout.toString() : "");
    },
    async default(directory) {
      const args = ["for-each-ref", "--format=%(symref:short)", "refs/remotes/*/HEAD"];
      return named(await runGit(directory, ["--no-literal-pathspecs", ...args]));
    },
  };
function named(names: string): ReadonlyMap<string, string> {
  return new Map(linesOf(names).map((name) => [name, name]));
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Reads the sides of a merge in which git found a conflict in a lock; undefined if there is none. */
export async function readMergeSides(directory: string, file: string): Promise<ConflictSides | undefined> {
  if (!findRepository(directory)) return undefined;
  const lock = `${repositoryFolder(directory)}${file}`;
  const listed = await runGit(directory, ["ls-files", "--unmerged", "-z", "--", lock, `${lock}.journal`]);
  if (listed === "") return undefined;
  const names = [1, 2, 3].flatMap((stage) => [`:${stage}:${lock}`, `:${stage}:${lock}.journal`]);
  const [whole, ...texts] = await readBlobs(directory, [`:0:${lock}`, ...names]);
  // A lock without a conflict is the same on both sides; such a journal goes on from one of them, and is beside the lock.
  const side = (stage: number) => ({
    lock: texts[2 * stage] ?? whole ?? null,
    journal: texts[2 * stage + 1] ?? null,
  });
  return { base: side(0), ours: side(1), theirs: side(2) };
}

async function readStates(
  directory: string,
  commits: readonly string[],
  lock: string,
  journal: string,
): Promise<{ readonly states: OtherState[]; readonly isWhole: boolean }> {
  const states: OtherState[] = [];
  // Many commits, and most branches, have the same lock.
  const texts = new Map<string, string | null>();
  let room = mostText;
  // In portions, so that versions beyond the limit are not even looked at.
  for (let at = 0; at < commits.length && room > 0; at += 100) {
    const some = commits.slice(at, at + 100);
    const names = some.flatMap((commit) => [`${commit}:${lock}`, `${commit}:${journal}`]);
    const blobs = await sizesOfBlobs(directory, names);
    const wanted = new Set<string>();
    const read: string[] = [];
    for (const [index, commit] of some.entries()) {
      const fresh = [blobs[2 * index], blobs[2 * index + 1]].filter(
        (blob) => blob !== undefined && !texts.has(blob.id) && !wanted.has(blob.id),
      );
      for (const blob of fresh) room -= blob && blob.size <= largestText ? blob.size : mostText;
      // The first that has no room, and all after it, are left out.
      if (room < 0) break;
      for (const blob of fresh) if (blob) wanted.add(blob.id);
      read.push(commit);
    }
    const ids = [...wanted];
    for (const [index, text] of (await readBlobs(directory, ids)).entries()) {
      if (text !== null && isLfsPointer(text)) throw new GitObjectsError();
      texts.set(ids[index] ?? "", text);
    }
    const textOf = (index: number): string | null => texts.get(blobs[index]?.id ?? "") ?? null;
    for (const [index, commit] of read.entries()) {
      states.push({ where: commit, lock: textOf(2 * index), journal: textOf(2 * index + 1) });
    }
  }
  return { states, isWhole: states.length === commits.length };
}
