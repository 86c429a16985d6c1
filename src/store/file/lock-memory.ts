import { copyFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { LockMemory, OtherState, Recollection } from "../../core/state/lock-store.js";
import { GitError } from "../../git/git-process.js";
import { readText } from "../local/durable-file.js";
import { headsOf, readLockHistory } from "./lock-history.js";

/** Where a lock file is, and where this machine keeps a copy of it as it last wrote it. */
export interface LockMemoryOptions {
  /** The folder of the workspace. */
  readonly directory: string;
  /** The lock's name in that folder. */
  readonly lockName: string;
  /** Absolute. */
  readonly lockFile: string;
  /** Absolute; its folder is this machine's own, and git has no part in it. */
  readonly copyFile: string;
}

/** What git's history and this machine know of a lock in a file. */
export class FileLockMemory implements LockMemory {
  constructor(private readonly options: LockMemoryOptions) {}

  get written(): string | null {
    return readText(this.options.copyFile, "the copy of the lock");
  }

  async others(known: readonly string[]): Promise<Recollection> {
    const { directory, lockName } = this.options;
    const written = this.written;
    const here: OtherState[] =
      written === null ? [] : [{ lock: written, journal: null, where: "what this machine last wrote" }];
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
      // Without git nothing of a history can be said.
      if (!(thrown instanceof GitError)) throw thrown;
      return { states: here, marks: [], isCut: true };
    }
  }

  /** Keeps a copy of the lock as this process has just written it. */
  keep(): void {
    const { lockFile, copyFile } = this.options;
    try {
      mkdirSync(dirname(copyFile), { recursive: true });
      copyFileSync(lockFile, copyFile);
    } catch {
      // Without the copy, what git takes back before it is committed goes unseen; the lock itself is safe.
    }
  }
}
