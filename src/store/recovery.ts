import type { Checked } from "../core/finding/checked.js";
import { renderLock, type Lock, type LockOwner } from "../core/state/lock.js";
import { nextSerial } from "../core/state/lock-writes.js";
import { StoreChangedError, type WritableState } from "../core/state/lock-store.js";
import { assembleState } from "../core/state/stored-state.js";

/** A lock whose store this process holds. */
export interface HeldLock {
  readonly lock: Lock;
  /** The version that a replace expects. */
  readonly version: string | null;
}

/**
 * Gives the lock of a store that this process holds. The journal that an interrupted apply left is written into the
 * lock first, because only the holder may do so.
 */
export async function recover(
  store: WritableState,
  owner: LockOwner,
  newLineage: () => string,
): Promise<Checked<HeldLock>> {
  const held = await withoutJournal(store, owner, newLineage);
  if (held) return held;
  // Entries of a journal are all in memory, those of a lock are parsed when they are needed; so it is read again.
  const read = await withoutJournal(store, owner, newLineage);
  if (read) return read;
  throw new StoreChangedError(`${store.journalName} was written by another process`);
}

// Undefined if there was a journal, which is now in the lock.
async function withoutJournal(
  store: WritableState,
  owner: LockOwner,
  newLineage: () => string,
): Promise<Checked<HeldLock> | undefined> {
  const stored = await store.read();
  const state = assembleState({ ...stored, holder: null }, owner, store);
  if (!state.ok) return state;
  const lock = state.lock.lineage === "" ? { ...state.lock, lineage: newLineage() } : state.lock;
  if (!state.hasJournal) return { ok: true, lock, version: stored.version };
  await store.replace(renderLock({ ...lock, serial: nextSerial(lock.serial) }), stored.version);
  return undefined;
}
