import { bare, say } from "../core/finding/said.js";
import { refused, type Checked } from "../core/finding/checked.js";
import { renderLock, type LockOwner } from "../core/state/lock.js";
import { nextSerial } from "../core/state/lock-writes.js";
import { StoreChangedError, type StoredState, type WritableState } from "../core/state/lock-store.js";
import { hasErrors, type Finding } from "../core/finding/diagnostic.js";
import { assembleState, type KnownState } from "../core/state/stored-state.js";

/** Finds why nothing may be written after a state. */
type CheckHeld = (state: KnownState, stored: StoredState) => Promise<readonly Finding[]>;

/** Gives the state of a held store, after the journal of an interrupted apply is written into the lock. */
export async function recover(
  store: WritableState,
  owner: LockOwner,
  newName: () => string,
  check: CheckHeld,
): Promise<Checked<KnownState>> {
  const held = await withoutJournal(store, owner, newName, check);
  if (held) return held;
  // Entries of a journal are all in memory, those of a lock are parsed when they are needed; so it is read again.
  const read = await withoutJournal(store, owner, newName, check);
  if (read) return read;
  throw new StoreChangedError(say`${bare({ file: store.journalName })} was written by another process`);
}

// Undefined if there was a journal, which is now in the lock.
async function withoutJournal(
  store: WritableState,
  owner: LockOwner,
  newName: () => string,
  check: CheckHeld,
): Promise<Checked<KnownState> | undefined> {
  const stored = await store.read();
  const state = assembleState({ ...stored, holder: null }, owner, store);
  if (!state.ok) return state;
  const problems = await check(state, stored);
  if (hasErrors(problems)) return refused(problems);
  const lock = state.lock.lineage === "" ? { ...state.lock, lineage: newName() } : state.lock;
  if (!state.hasJournal) return { ...state, lock };
  // A journal whose first line was never written names no write.
  const writes = lock.writes === "" ? newName() : lock.writes;
  await store.replace(renderLock({ ...lock, writes, serial: nextSerial(lock.serial) }), stored.version);
  return undefined;
}
