import { bare, say } from "../core/finding/said.js";
import type { Checked } from "../core/finding/checked.js";
import { renderLock, type LockOwner } from "../core/state/lock.js";
import { nextSerial } from "../core/state/lock-writes.js";
import { StoreChangedError, type WritableState } from "../core/state/lock-store.js";
import { assembleState, type KnownState } from "../core/state/stored-state.js";

/**
 * Gives the state of a store that this process holds. The journal that an interrupted apply left is written into the
 * lock first, because only the holder may do so.
 */
export async function recover(
  store: WritableState,
  owner: LockOwner,
  newName: () => string,
): Promise<Checked<KnownState>> {
  const held = await withoutJournal(store, owner, newName);
  if (held) return held;
  // Entries of a journal are all in memory, those of a lock are parsed when they are needed; so it is read again.
  const read = await withoutJournal(store, owner, newName);
  if (read) return read;
  throw new StoreChangedError(say`${bare({ file: store.journalName })} was written by another process`);
}

// Undefined if there was a journal, which is now in the lock.
async function withoutJournal(
  store: WritableState,
  owner: LockOwner,
  newName: () => string,
): Promise<Checked<KnownState> | undefined> {
  const stored = await store.read();
  const state = assembleState({ ...stored, holder: null }, owner, store);
  if (!state.ok) return state;
  const lock = state.lock.lineage === "" ? { ...state.lock, lineage: newName() } : state.lock;
  if (!state.hasJournal) return { ...state, lock };
  // A journal whose first line was never written names no write.
  const writes = lock.writes === "" ? newName() : lock.writes;
  await store.replace(renderLock({ ...lock, writes, serial: nextSerial(lock.serial) }), stored.version);
  return undefined;
}
