import type { StoredState } from "../../core/state/lock-store.js";
import { beginsAt } from "../../core/state/replay.js";
import type { StateDocument } from "./document-medium.js";
import { goesOn, hasBegun, type MachineJournal } from "./machine-journal.js";

/** What a process that takes a store goes on with. */
export interface LeftBehind {
  /** The journal to account for; null for none. */
  readonly journal: string | null;
  /** Whether this machine has all of the journal that the store has a part of. */
  readonly isAtHand: boolean;
}

type StoredTexts = Pick<StateDocument, "lock" | "journal">;

// The store has its beginning before anything is sent; a store without one was set back to the lock from before.
function isOf(local: string | null, { lock, journal }: StoredTexts): local is string {
  if (goesOn(local, journal)) return true;
  return local !== null && journal === null && beginsAt(local, lock);
}

/** Compares the journal of a store with that of this machine, which may be ahead of it. */
export function leftBehind(stored: StoredTexts, local: string | null): LeftBehind {
  if (!isOf(local, stored)) return { journal: stored.journal, isAtHand: false };
  // A journal with nothing but unsent creates is not written into a lock.
  return { journal: hasBegun(local) ? local : null, isAtHand: true };
}

/** Gives the fullest journal for a reader, and whether it has everything that its apply did. */
export function fullestJournal(
  stored: StoredTexts,
  local: string | null,
): Pick<StoredState, "journal" | "isJournalWhole"> {
  if (!isOf(local, stored)) return { journal: stored.journal };
  return hasBegun(local) ? { journal: local, isJournalWhole: true } : { journal: null };
}

/** Begins the journal of a process that has taken a store with these contents. */
export function beginJournal(own: MachineJournal, { journal }: StateDocument, isAtHand: boolean): void {
  if (!isAtHand) own.setAside();
  else if (journal === null) own.discard();
  own.begin(journal !== null);
}
