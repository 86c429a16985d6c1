import { error, note, type Finding } from "../finding/diagnostic.js";
import { parseJournal } from "./journal.js";
import type { Hash } from "../../json/json.js";
import { emptyLock, parseLock, type Lock, type LockOwner } from "./lock.js";
import type { LockIndex } from "./lock-index.js";
import type { StoredState } from "./lock-store.js";
import { named } from "./lock-writes.js";
import { replay } from "./state.js";

/** The state of an environment as a store holds it. */
export interface KnownState {
  /** The lock with the journal worked in. */
  readonly lock: Lock;
  /** Whether anything was ever applied. */
  readonly exists: boolean;
  /** Whether a journal was left behind, which the next apply writes into the lock. */
  readonly hasJournal: boolean;
  readonly findings: readonly Finding[];
}

/** What the parts of a store are called. */
export interface StoreNames {
  readonly lockName: string;
  readonly journalName: string;
}

/**
 * Makes a state of what a store holds: what began and was not closed is of unknown outcome, unless the
 * apply that began it may still be running. Findings alone say why it cannot be trusted. The index is that of
 * the lock's text, where it is known.
 */
export function assembleState(
  stored: StoredState,
  owner: LockOwner,
  { lockName, journalName }: StoreNames,
  hash: Hash,
  index?: LockIndex,
): KnownState | Finding[] {
  const lock = stored.lock === null ? emptyLock(owner, "") : parseLock(stored.lock, lockName, owner, index);
  if (Array.isArray(lock)) return lock;
  const exists = stored.lock !== null;
  if (stored.journal === null) {
    return { lock, exists, hasJournal: false, findings: exists ? [] : explainAbsence(stored, lockName) };
  }
  const journal = parseJournal(stored.journal, journalName, hash);
  if (Array.isArray(journal)) return journal;
  const { header } = journal;
  if (header && (header.workspace !== owner.workspace || header.environment !== owner.environment)) {
    const hint = "move it away, if you know what it is";
    return [
      error("journal-foreign", { file: journalName }, "the journal belongs to another workspace", hint),
    ];
  }
  const state = replay(lock, journal, journalName);
  if (Array.isArray(state)) return state;
  const findings: Finding[] = [];
  if (stored.holder?.life === "alive") findings.push(inProgress(stored.holder, state.underWay.length));
  else state.settle();
  const isContinued = header?.write !== undefined && header.serial === lock.serial;
  return {
    lock: isContinued ? named(lock, state.lock, header.write) : state.lock,
    exists: exists || journal.records.length > 0,
    hasJournal: true,
    findings,
  };
}

function explainAbsence({ mayBeElsewhere }: StoredState, lockName: string): Finding[] {
  if (mayBeElsewhere === undefined) return [];
  const message = `${lockName} is not here, so everything looks new`;
  return [note("lock-absent", undefined, message, `if something was applied already: \`${mayBeElsewhere}\``)];
}

function inProgress({ host, pid, since }: NonNullable<StoredState["holder"]>, underWay: number): Finding {
  const message = `an apply is in progress (process ${pid} on ${host}, since ${since}; ${underWay} actions under way)`;
  return note("lock-held", undefined, message, "what it has not finished yet is not in this plan");
}
