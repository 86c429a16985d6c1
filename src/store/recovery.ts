import type { Finding } from "../core/finding/diagnostic.js";
import type { Hash } from "../json/json.js";
import { renderLock, type Lock, type LockOwner } from "../core/state/lock.js";
import { nextSerial } from "../core/state/lock-writes.js";
import type { LockStore } from "../core/state/lock-store.js";
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
  store: LockStore,
  owner: LockOwner,
  newLineage: () => string,
  hash: Hash,
): Promise<HeldLock | readonly Finding[]> {
  const stored = await store.read();
  const state = assembleState({ ...stored, holder: null }, owner, store, hash);
  if (!("lock" in state)) return state;
  const lock = state.lock.lineage === "" ? { ...state.lock, lineage: newLineage() } : state.lock;
  if (!state.hasJournal) return { lock, version: stored.version };
  const merged = { ...lock, serial: nextSerial(lock.serial) };
  return { lock: merged, version: await store.replace(renderLock(merged), stored.version) };
}
