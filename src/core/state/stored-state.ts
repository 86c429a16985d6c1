import { error, note, type Finding } from "../finding/diagnostic.js";
import { parseJournal } from "./journal.js";
import { emptyLock, parseLock, type Lock, type LockOwner } from "./lock.js";
import { holderName, type Holder, type StateNames, type StoredState } from "./lock-store.js";
import { named } from "./lock-writes.js";
import { replay } from "./replay.js";

/** The state of an environment as kept in a store. */
export interface KnownState {
  /** The lock, updated with the journal. */
  readonly lock: Lock;
  /** Whether anything was ever applied. */
  readonly exists: boolean;
  /** Whether a journal was left behind; the next apply writes it into the lock. */
  readonly hasJournal: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Makes the state from the content of a store: actions that began and were not closed have an unknown outcome,
 * unless their apply may still be running. If it cannot be trusted, there are only findings.
 */
export function assembleState(
  stored: StoredState,
  owner: LockOwner,
  { lockName, journalName }: StateNames,
  parse: typeof parseLock = parseLock,
): KnownState | Finding[] {
  const lock = stored.lock === null ? emptyLock(owner, "") : parse(stored.lock, lockName, owner);
  if (Array.isArray(lock)) return lock;
  const exists = stored.lock !== null;
  if (stored.journal === null) {
    return { lock, exists, hasJournal: false, findings: exists ? [] : explainAbsence(stored, lockName) };
  }
  const continued = continueLock(lock, stored, owner, journalName);
  return Array.isArray(continued) ? continued : { ...continued, exists: exists || continued.exists };
}

/** Makes the state from a lock and the journal of a store that has one; `exists` is then whether it has records. */
export function continueLock(
  lock: Lock,
  { journal: text, holder }: Pick<StoredState, "journal" | "holder">,
  owner: LockOwner,
  journalName: string,
): KnownState | Finding[] {
  const journal = parseJournal(text ?? "", journalName);
  if (Array.isArray(journal)) return journal;
  const { header } = journal;
  if (header && (header.workspace !== owner.workspace || header.environment !== owner.environment)) {
    const hint = "find out where it comes from, then move it away";
    return [
      error("journal-foreign", { file: journalName }, "the journal belongs to a different workspace", hint),
    ];
  }
  const state = replay(lock, journal, journalName);
  if (Array.isArray(state)) return state;
  const findings: Finding[] = [];
  if (holder?.life === "alive") findings.push(inProgress(holder, state.underWay.length));
  else state.settle();
  const write = header?.serial === lock.serial ? header.write : undefined;
  return {
    lock: write === undefined ? state.lock : named(lock, state.lock, write),
    exists: journal.records.length > 0,
    hasJournal: true,
    findings,
  };
}

function explainAbsence({ otherwise }: StoredState, lockName: string): Finding[] {
  if (otherwise === undefined) return [];
  const message = `${lockName} is missing, so everything looks new`;
  return [note("lock-absent", undefined, message, `if something was already applied, ${otherwise}`)];
}

function inProgress(holder: Holder, underWay: number): Finding {
  const { since, seen } = holder;
  const life = seen === undefined ? "" : `; last sign of life ${seen}`;
  const message = `an apply is in progress (${holderName(holder)}, since ${since}${life}; ${underWay} actions in flight)`;
  return note("lock-held", undefined, message, "its unfinished actions are not in this plan");
}
