import { refused, type Checked } from "../finding/checked.js";
import { error, note, type Finding } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { parseJournal } from "./journal.js";
import { emptyLock, isSameOwner, parseLock, renamedHint, type Lock, type LockOwner } from "./lock.js";
import {
  holderName,
  type Holder,
  type StateNames,
  StateSealError,
  type StateTexts,
  type StoredState,
  type SealVerdict,
} from "./lock-store.js";
import { named } from "./lock-writes.js";
import { replay } from "./replay.js";
import { choiceOf, stateOptions, type StateChoice, unlockCommand } from "./state-choice.js";

/** The state of an environment as kept in a store. */
export interface KnownState {
  /** The lock, updated with the journal. */
  readonly lock: Lock;
  /** Whether anything was ever applied. */
  readonly exists: boolean;
  /** Whether a journal was left behind; the next apply writes it into the lock. */
  readonly hasJournal: boolean;
  /** The version of the lock without the journal, which a replace expects. */
  readonly version: string | null;
  readonly findings: readonly Finding[];
}

/** How messages name the parts of a state whose journal is beside its lock. */
export function fileNames(lockName: string): StateNames {
  return { lockName, journalName: `${lockName}.journal` };
}

/** Makes a state; actions not closed have an unknown outcome, unless a holder's apply may still run. */
export function assembleState(
  stored: StateTexts & Partial<StoredState>,
  owner: LockOwner,
  { lockName, journalName }: StateNames,
  parse: typeof parseLock = parseLock,
): Checked<KnownState> {
  const parsed = stored.lock === null ? undefined : parse(stored.lock, lockName, owner);
  if (parsed?.ok === false) return withoutUnsealedMove(parsed, stored.seal, lockName);
  const lock = parsed?.lock ?? emptyLock(owner, "");
  const exists = parsed !== undefined;
  const { version = null } = stored;
  if (stored.journal === null) {
    const findings = exists ? sealFindings(stored.seal, lockName, owner) : explainAbsence(stored, lockName);
    return { ok: true, lock, exists, hasJournal: false, version, findings };
  }
  const continued = continueLock(lock, stored, owner, journalName);
  if (!continued.ok) return continued;
  const findings = [...sealFindings(stored.seal, lockName, owner), ...continued.findings];
  return { ...continued, exists: exists || continued.exists, findings };
}

/** Makes the state from a lock and the journal of a store that has one; `exists` is then whether it has records. */
export function continueLock(
  lock: Lock,
  { journal: text, isJournalWhole, holder, version = null }: Partial<StoredState>,
  owner: LockOwner,
  journalName: string,
): Checked<KnownState> {
  const journal = parseJournal(text ?? "", journalName);
  if (!journal.ok) return journal;
  const { header } = journal;
  const choice = choiceOf({ environment: owner.environment, service: (header ?? lock).service });
  if (header && !isSameOwner(header, owner)) {
    const otherwise = `find out where it comes from; \`agentform lock restore${stateOptions(choice)}\` puts it aside`;
    const renamed = renamedHint(header, owner);
    const hint = renamed === undefined ? otherwise : `${renamed}; if not, ${otherwise}`;
    const message = "the journal belongs to a different workspace";
    return refused([error("journal-foreign", { file: journalName }, message, hint)]);
  }
  const replayed = replay(lock, journal, journalName);
  if (!replayed.ok) return replayed;
  const { state } = replayed;
  const findings: Finding[] = [];
  if (isJournalWhole) state.advance({ type: "unsent" });
  if (holder?.life === "alive") {
    findings.push(inProgress(holder, state.underWay.length, choice));
  } else state.settle();
  const write = header?.serial === lock.serial ? header.write : undefined;
  return {
    ok: true,
    lock: write === undefined ? state.lock : named(lock, state.lock, write),
    exists: journal.records.length > 0,
    hasJournal: true,
    version,
    findings,
  };
}

function explainAbsence({ otherwise }: Partial<StoredState>, lockName: string): Finding[] {
  if (otherwise === undefined) return [];
  const message = say`${bare({ lock: lockName })} is missing, so everything looks new`;
  return [note("lock-absent", undefined, message, `if something was already applied, ${otherwise}`)];
}

function inProgress(holder: Holder, underWay: number, choice: StateChoice): Finding {
  const { since, seen } = holder;
  const life = seen === undefined ? "" : `; last sign of life ${seen}`;
  const message = say`an apply is in progress (${holderName(holder)}, since ${since}${life}; ${{ count: underWay }} actions in flight)`;
  const command = bare({ command: unlockCommand(holder.nonce, choice) });
  const hint = say`its unfinished actions are not in this plan; if it does not run any more, \`${command}\` releases the lock`;
  return note("lock-held", undefined, message, hint);
}

// The emulator's state has none.
function mendSeal({ environment }: LockOwner): string {
  return `\`agentform lock seal${stateOptions({ environment })}\` shows what differs, and seals what you agree to`;
}

function wrongSeal(lockName: string): Sentence {
  return say`the state in ${bare({ lock: lockName })} is not what was sealed: somebody without the key has changed it, or the key is another one`;
}

function missingSeal(lockName: string): Sentence {
  return say`the state in ${bare({ lock: lockName })} has no seal, and \`spec.lock.seal\` asks for one`;
}

// Nobody is sent to the place that such a text names.
function withoutUnsealedMove(
  unread: Extract<Checked<unknown>, { readonly ok: false }>,
  seal: SealVerdict,
  lockName: string,
): typeof unread {
  const isMove = unread.problems.some(({ code }) => code === "lock-moved" || code === "lock-moving");
  if (!isMove || (seal !== "missing" && seal !== "wrong")) return unread;
  const message = seal === "missing" ? missingSeal(lockName) : wrongSeal(lockName);
  const hint =
    "it says that the state has moved: if you moved it, set `spec.lock` to where it is now; else put back what was there before";
  return refused([error(`seal-${seal}`, undefined, message, hint)]);
}

/** Explains why a state without a right seal is not used, to be thrown. */
export function sealRefusal(seal: "wrong" | "missing", lockName: string, owner: LockOwner): StateSealError {
  const explain = { wrong: wrongSeal, missing: missingSeal };
  return new StateSealError(`seal-${seal}`, explain[seal](lockName), mendSeal(owner));
}

// A note where others would warn: a warning can be ignored by the manifest of the change itself.
/** Finds what a reader who changes nothing has to know of the seal of a state. */
function sealFindings(seal: SealVerdict, lockName: string, owner: LockOwner): Finding[] {
  switch (seal) {
    case "wrong":
      return [error("seal-wrong", undefined, wrongSeal(lockName), mendSeal(owner))];
    case "missing":
      return [
        note("seal-missing", undefined, missingSeal(lockName), `an apply refuses it: ${mendSeal(owner)}`),
      ];
    case "unverified": {
      const message = say`the state in ${bare({ lock: lockName })} is sealed, and could not be verified without the key of the seal`;
      return [
        note(
          "seal-unverified",
          undefined,
          message,
          "an apply has the key, and verifies it before it sends anything",
        ),
      ];
    }
    default:
      return [];
  }
}
