import type { LockStore, StoredState } from "../../src/core/state/lock-store.js";
import { StoreChangedError } from "../../src/core/state/lock-store.js";

/** A lock store that keeps everything in this process. */
export interface MemoryStore extends LockStore {
  /** All that was appended since the store was made, whether it was removed with a replaced lock or not. */
  readonly written: () => string;
}

/** Makes a store that holds a lock, or nothing yet. */
export function createMemoryStore(initial: string | null, needsClaim = false): MemoryStore {
  let lock = initial;
  let journal = "";
  let written = "";
  let version = 0;
  const versionNow = () => (lock === null ? null : String(version));
  return {
    needsClaim,
    lockName: "agentform.lock",
    journalName: "agentform.lock.journal",
    read: async (): Promise<StoredState> => {
      return { version: versionNow(), lock, journal: journal === "" ? null : journal, holder: null };
    },
    acquire: async () => undefined,
    confirm: async () => undefined,
    append(line) {
      journal += line;
      written += line;
    },
    flush: async () => undefined,
    async replace(text, expected) {
      if (expected !== versionNow()) throw new StoreChangedError("the lock has moved");
      lock = [...text].join("");
      journal = "";
      version++;
      return String(version);
    },
    release: async () => undefined,
    unlock: async () => false,
    written: () => written,
  };
}
