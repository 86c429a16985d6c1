import { copyFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { LockMemory, OtherState, Recollection, WrittenLock } from "../../core/state/lock-store.js";
import { GitError } from "../../git/git-process.js";
import { LockFile } from "../local/lock-file.js";
import { headsOf, readBranchTips, readLockHistory } from "./lock-history.js";

/** The lock file, and the copy of it that this machine keeps of its last write. */
export interface LockMemoryOptions {
  /** The folder of the workspace. */
  readonly directory: string;
  /** The lock's path in that folder. */
  readonly lockName: string;
  /** Absolute. */
  readonly lockFile: string;
  /** Absolute; its folder belongs to this machine, and git does not track it. */
  readonly copyFile: string;
}

/** The versions of a lock file that git's history and this machine have. */
export class FileLockMemory implements LockMemory {
  constructor(private readonly options: LockMemoryOptions) {}

  written(): WrittenLock {
    return new LockFile(this.options.copyFile, "the copy of the lock").read();
  }

  async others(
    known: readonly string[],
    present: string | null,
    { text, version }: WrittenLock,
  ): Promise<Recollection> {
    const { directory, lockName } = this.options;
    const here: OtherState[] =
      text === null || version === present
        ? []
        : [{ lock: text, journal: null, where: "the last write of this machine" }];
    try {
      const marks = await headsOf(directory);
      if (marks.every((mark) => known.includes(mark))) return { states: here, marks, isCut: false };
      const { states, isCut } = await readLockHistory(directory, lockName, marks, known);
      const committed = states.map(({ commit, ...state }) => ({
        ...state,
        where: `commit ${commit.slice(0, 10)}`,
      }));
      return { states: [...here, ...committed], marks, isCut };
    } catch (thrown) {
      // Without git there is no history to compare with.
      if (!(thrown instanceof GitError)) throw thrown;
      return { states: here, marks: [], isCut: true };
    }
  }

  async elsewhere(): Promise<readonly OtherState[]> {
    const { directory, lockName } = this.options;
    try {
      return await readBranchTips(directory, lockName);
    } catch (thrown) {
      if (!(thrown instanceof GitError)) throw thrown;
      return [];
    }
  }

  /** Keeps a copy of the lock that this process has just written. */
  keep(): void {
    const { lockFile, copyFile } = this.options;
    try {
      mkdirSync(dirname(copyFile), { recursive: true });
      copyFileSync(lockFile, copyFile);
    } catch {
      // Without the copy, a lock that git sets back before it is committed is not noticed; the lock itself is safe.
    }
  }
}
