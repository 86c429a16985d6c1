import { bare, say } from "../../core/finding/said.js";
import { lstatSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  StoreChangedError,
  type Holder,
  type LockStore,
  type StateNames,
  type StoredState,
} from "../../core/state/lock-store.js";
import { naming } from "../local/failure.js";
import { HolderFile } from "./holder-file.js";
import { JournalFile, type Sync } from "../local/journal-file.js";
import { LockFile } from "../local/lock-file.js";
import {
  MediumStore,
  type Access,
  type Medium,
  type StoreCare,
  type Tenure,
} from "../medium/medium-store.js";

/** Where a file store keeps its files, and how messages name them. */
export interface FileStoreOptions
  extends StoreCare, StateNames, Pick<Medium<Access>, "versions" | "environments"> {
  /** Absolute; the journal has the same name with `.journal` added. */
  readonly lockFile: string;
  /** Absolute; its folder is made when needed, and ignored by git. */
  readonly holderFile: string;
  /** What uses that file, and more, to hold the store; the file alone unless given. */
  readonly holder?: HolderFile;
  /** How the journal is made durable; fdatasync unless given. */
  readonly sync?: Sync;
  /** Absolute; a second name of the journal, in a folder of this machine. */
  readonly journalCopy?: string;
  /** Called before the first line of a journal, which goes on from the lock of that moment. */
  readonly onBegin?: () => void;
}

/** Opens a store of three files in the workspace; nothing is read or written before a function is called. */
export function createFileStore(options: FileStoreOptions): LockStore {
  const { lockFile, holderFile, lockName, journalName, sync, journalCopy, onBegin } = options;
  const journalFile = `${lockFile}.journal`;
  const lock = new LockFile(lockFile, lockName);
  const { holder = new HolderFile(holderFile) } = options;
  const check = (): void => {
    if (holder.isLost) throw new StoreChangedError(`${lockName} was unlocked and is no longer held`);
  };
  // Who takes the store reads the journal afterwards, so it has every line that was durable while this one held it.
  const journal = new JournalFile(journalFile, journalName, {
    check,
    ...(sync && { sync }),
    ...(journalCopy !== undefined && { secondName: journalCopy }),
  });
  const stamp = (): string => `${stampOf(lockFile, lockName)} ${stampOf(journalFile, journalName)}`;
  let isBegun = false;
  const tenure: Tenure = {
    confirm: async () => check(),
    append(line) {
      if (!isBegun) onBegin?.();
      isBegun = true;
      journal.append(line);
    },
    flush: async () => await journal.flush(),
    async replace(text, version) {
      check();
      if (lock.read().version !== version) {
        throw new StoreChangedError(
          say`${bare({ lock: lockName })} was changed by another process since it was read`,
        );
      }
      const written = lock.write(text);
      check();
      await journal.remove();
      return written;
    },
    async release() {
      try {
        await journal.close();
      } finally {
        await holder.release();
      }
    },
  };
  const access: Access = {
    read: async () => await readState({ lock, journal, holder, stamp }),
    async take() {
      await holder.acquire();
      isBegun = false;
      return tenure;
    },
    unlock: async (nonce) => await holder.remove(nonce),
  };
  return new MediumStore({ ...options, needsClaim: false, connect: () => access });
}

interface Files {
  readonly lock: LockFile;
  readonly journal: JournalFile;
  readonly holder: HolderFile;
  /** Changes whenever the lock or the journal changes. */
  readonly stamp: () => string;
}

/**
 * Reads lock, journal and holder as of one moment, even during an apply. The journal comes before the lock,
 * for a lock replaced in between contains it; the holder before both, because one found dead has written all,
 * and again after them, for an apply may have come or gone.
 */
async function readState({ lock, journal, holder, stamp }: Files): Promise<StoredState> {
  for (let attempt = 1; ; attempt++) {
    const stampBefore = stamp();
    const before = holder.read();
    const journalText = journal.read();
    const { lock: text, version } = lock.read();
    const after = holder.read();
    const isSteady = before?.nonce === after?.nonce && (before !== null || stampBefore === stamp());
    if (isSteady || attempt === 20) {
      const present = before ?? after;
      const holder = present && { ...present, ...signOfLife(present, journal) };
      return { version, lock: text, journal: journalText, holder };
    }
    await sleep(attempt);
  }
}

// The journal grows with each action. One that is older than the holder was left behind by an earlier apply.
function signOfLife({ since }: Holder, journal: JournalFile): Pick<Holder, "seen"> {
  const changed = journal.changedAt()?.toISOString();
  return changed !== undefined && changed >= since ? { seen: changed } : {};
}

function stampOf(file: string, name: string): string {
  const stat = naming(name, () => lstatSync(file, { bigint: true, throwIfNoEntry: false }));
  return stat === undefined ? "none" : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}
