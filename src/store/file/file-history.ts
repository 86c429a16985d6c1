import { lstatSync } from "node:fs";
import { serialIn } from "../../core/state/lock-serial.js";
import type { LockHistory, LockVersion } from "../../core/state/lock-store.js";
import { GitError } from "../../git/git-process.js";
import { runGit } from "../../git/run-git.js";
import { LockFile, versionOf } from "../local/lock-file.js";
import { headsOf, readLockHistory } from "./lock-history.js";
import type { LockMemoryOptions } from "./lock-memory.js";

interface Version extends LockVersion {
  readonly text: string;
}

/** The versions of a lock file: the present one, and those that the commits under HEAD have. */
export function fileHistory({ directory, lockName, lockFile }: LockMemoryOptions): LockHistory {
  const versions = async (): Promise<Version[]> => {
    const [all, now] = [await committed(directory, lockName), present(lockFile, lockName)];
    // Two branches may both have written a version with this serial.
    if (now) all.unshift(all.find(isSame(now)) ?? now);
    const seen = new Set<number>();
    const distinct = all.filter(({ serial }) => !seen.has(serial) && seen.add(serial));
    return distinct.toSorted((a, b) => b.serial - a.serial);
  };
  return {
    versions: async () =>
      (await versions()).map(({ serial, at, who }) => ({ serial, at, ...(who !== undefined && { who }) })),
    at: async (serial) => (await versions()).find((each) => each.serial === serial)?.text ?? null,
  };
}

interface Present extends Version {
  /** The digest of the text. */
  readonly version: string;
}

function present(lockFile: string, lockName: string): Present | undefined {
  const { text, version } = new LockFile(lockFile, lockName).read();
  const changed = lstatSync(lockFile, { throwIfNoEntry: false })?.mtime;
  if (text === null || changed === undefined) return undefined;
  const serial = serialIn(text);
  return serial === undefined ? undefined : { serial, at: changed.toISOString(), text, version };
}

function isSame(now: Present): (version: Version) => boolean {
  return ({ serial, text }) => serial === now.serial && versionOf(text) === now.version;
}

async function committed(directory: string, lockName: string): Promise<Version[]> {
  try {
    const heads = await headsOf(directory);
    if (heads.length === 0) return [];
    const { states } = await readLockHistory(directory, lockName, heads);
    const authors = await authorsOf(
      directory,
      states.map(({ commit }) => commit),
    );
    return states.flatMap(({ commit, lock }) => {
      const serial = lock === null ? undefined : serialIn(lock);
      const author = authors.get(commit);
      return lock === null || serial === undefined || !author ? [] : [{ serial, text: lock, ...author }];
    });
  } catch (thrown) {
    // Without git there is only the present version.
    if (!(thrown instanceof GitError)) throw thrown;
    return [];
  }
}

async function authorsOf(directory: string, commits: readonly string[]) {
  const authors = new Map<string, Pick<Version, "at" | "who">>();
  if (commits.length === 0) return authors;
  const args = ["rev-list", "--no-walk=unsorted", "--format=%cI %an", "--stdin"];
  const listed = await runGit(directory, args, { stdin: commits.join("\n") });
  for (const [, commit = "", at = "", name] of listed.matchAll(/^commit ([0-9a-f]+)\n(\S+) (.*)$/gm)) {
    authors.set(commit, { at: new Date(at).toISOString(), who: `${name}, commit ${commit.slice(0, 10)}` });
  }
  return authors;
}
