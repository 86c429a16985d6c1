import { dirname } from "node:path";
import {
  StoreFailedError,
  type Branches,
  type LockMemory,
  type StoredState,
} from "../../core/state/lock-store.js";
import { naming } from "./failure.js";
import { makeLocalFolder } from "./local-folder.js";
import { LockFile } from "./lock-file.js";

/** What this machine remembers of a state, whatever its medium: a copy of the lock that it last wrote. */
export class MachineMemory implements LockMemory {
  readonly #copy: LockFile;

  constructor(
    /** Absolute; in a folder that belongs to this machine, and that git does not track. */
    private readonly copyFile: string,
    /** How messages name that file. */
    readonly copyName: string,
  ) {
    this.#copy = new LockFile(copyFile, "the copy of the lock");
  }

  written(): Pick<StoredState, "lock" | "version"> {
    return this.#copy.read();
  }

  async others(
    _known: readonly string[],
    present: string | null,
    { lock, version }: Pick<StoredState, "lock" | "version">,
  ): ReturnType<LockMemory["others"]> {
    const where = "the last write of this machine";
    const isOther = lock !== null && version !== present;
    const states = isOther ? [{ lock, journal: null, where, copyName: this.copyName }] : [];
    return { states, marks: [], isCut: false };
  }

  async branches(_which: Branches): ReturnType<LockMemory["branches"]> {
    return [];
  }

  /** Keeps a copy of the lock that this process has just written. */
  keep(lock: string): void {
    try {
      naming(this.copyName, () => makeLocalFolder(dirname(this.copyFile)));
      this.#copy.write(lock);
    } catch (thrown) {
      // Without the copy, a state that is set back may not be noticed; the lock itself is safe.
      if (!(thrown instanceof StoreFailedError)) throw thrown;
    }
  }
}
