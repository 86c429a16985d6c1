import type { Code } from "../finding/diagnostic.js";
import { bare, say, textOf, type Sentence } from "../finding/said.js";
import type { LockOwner } from "./lock.js";

/** What the seal says: right, wrong, none, or no key for it; undefined without a state that can be read. */
export type SealVerdict = "right" | "wrong" | "missing" | "unverified" | undefined;

/** The texts of a state. */
export interface StateTexts {
  /** That of the lock, or null if nothing was ever applied. */
  readonly lock: string | null;
  /** That of the journal, or null if no apply is running or was interrupted. */
  readonly journal: string | null;
}

/** The content of a store at one moment. */
export interface StoredState extends StateTexts {
  /** The SHA-256 of the lock's text in hexadecimal digits; null if there is no lock, or it is never written to. */
  readonly version: string | null;
  /** Whether the journal has every action that its apply began, so that what was claimed alone was never sent. */
  readonly isJournalWhole?: true;
  /** The holder of the store, if any. */
  readonly holder: Holder | null;
  /** What the seal of the state says, where the manifest asks for one. */
  readonly seal?: SealVerdict;
  /** Set if the seal of the journal is right, whatever that of the lock is. */
  readonly isJournalRight?: true;
  /** The journal, with blanks for its first damaged line and those behind that have no right seal; set if it has such a line. */
  readonly sealedPart?: string;
  /** The highest serial among the versions that the medium keeps, if it is higher than that of the lock. */
  readonly newest?: number;
  /** If there is no lock, although something may have been applied: what to do then. */
  readonly otherwise?: string;
}

/** The apply that holds a store. */
export interface Holder {
  readonly nonce: string;
  readonly pid: number;
  readonly host: string;
  /** When it was taken, in ISO 8601. */
  readonly since: string;
  /** The last sign of life in ISO 8601, where the medium has one: it is renewed with each written progress. */
  readonly seen?: string;
  /** How the store names it, where nothing is known of its process. */
  readonly who?: string;
  /** `dead` only if that is certain; a process on a different host counts as alive. */
  readonly life: "alive" | "dead";
}

/** The store is held by a different apply that may be alive. */
export class StoreHeldError extends Error {
  override readonly name = "StoreHeldError";

  constructor(readonly holder: Holder) {
    super(`held by ${holderName(holder)} since ${holder.since}`);
  }
}

/** How messages name the process that holds a store. */
export function holderName({ who, pid, host }: Holder): string {
  return who ?? `process ${pid} on ${host}`;
}

/** The lock was changed elsewhere since it was read, or this process does not hold the state any more. */
export class StoreChangedError extends Error {
  override readonly name = "StoreChangedError";
  readonly code = "lock-changed";

  constructor(
    /** The message, with what it is about as data. */
    readonly said: Sentence,
    /** What to do before planning again, if anything. */
    readonly hint?: string,
  ) {
    super(textOf(said));
  }
}

/** The medium has lost what this process had written to it, such as a standby that took over, so the next holder does not find it. */
export class StateLostError extends StoreChangedError {}

/** The store's medium failed, for example because the disk is full or a folder is read-only. */
export class StoreFailedError extends Error {
  override readonly name = "StoreFailedError";
  /** That of the finding which tells it. */
  readonly code: Code = "lock-medium";

  constructor(
    /** The message, with what it is about as data. */
    readonly said: Sentence,
    /** What to look at, and how to correct it. */
    readonly hint: string,
  ) {
    super(textOf(said));
  }
}

/** Waits for a store; gives something else where its medium fails. */
export async function unlessMediumFails<Result, Otherwise>(
  running: Promise<Result>,
  otherwise: (failure: StoreFailedError) => Otherwise,
): Promise<Result | Otherwise> {
  try {
    return await running;
  } catch (thrown) {
    if (thrown instanceof StoreFailedError) return otherwise(thrown);
    throw thrown;
  }
}

/** Gives why no line is added to a journal that was left behind, and that nothing has read. */
export function leftJournal(journal: string): StoreFailedError {
  return new StoreFailedError(
    say`the journal of an earlier apply is still there at ${bare({ file: journal })}`,
    "another process may have put it there meanwhile: `agentform lock status` says what it has; plan again, which reads it",
  );
}

/** The journal of this process cannot be continued, but it still holds the lock, and may be able to write it. */
export class JournalFailedError extends StoreFailedError {}

/** The journal of this process is not what it wrote any more, so a later process would not learn from it what was done. */
export class JournalLostError extends JournalFailedError {}

/** Git tracks local state, so a commit may have brought it. */
export class StateTrackedError extends StoreFailedError {
  override readonly code = "state-tracked";
}

/** The state is not sealed as the manifest asks, or there is no key for it. */
export class StateSealError extends StoreFailedError {
  constructor(
    override readonly code: "seal-wrong" | "seal-missing" | "seal-key",
    said: Sentence,
    hint: string,
  ) {
    super(said, hint);
  }
}

/** The manifest names another place of the state than this machine. */
export class StoreDisagreesError extends StoreFailedError {
  override readonly code = "lock-disagrees";
}

/** An earlier lock and journal, or those of a different place in the store's medium. */
export interface OtherState extends StateTexts, Pick<StoredState, "seal"> {
  /** Where they were found, as messages name it. */
  readonly where: string;
  /** For the copy of the last write that a machine keeps: its file, as messages name it. */
  readonly copyName?: string;
}

/** What is known of a state beside its medium, which others can set back: by this machine, and for files by git. */
export interface LockMemory {
  /** Reads the lock that this machine last wrote. */
  written(): Pick<StoredState, "lock" | "version">;
  /** Keeps a copy of the lock that this process has just written. */
  keep(lock: string): void;
  /** Gives other versions of the lock than the present one, except those up to known marks. */
  others(
    known: readonly string[],
    present: string | null,
    written: Pick<StoredState, "lock" | "version">,
  ): Promise<{
    readonly states: readonly OtherState[];
    /** How far it was searched; passed back the next time. */
    readonly marks: readonly string[];
    /** Whether there may be more than could be searched. */
    readonly isCut: boolean;
  }>;
  /** Gives the lock as the tips of some branches have it, as far as this clone has fetched them. */
  branches(which: Branches): Promise<readonly OtherState[]>;
}

/**
 * All branches, also those that were never merged here; the one that the present one follows; the default one of each
 * remote; those that this machine has applied in other work trees of the clone, with what was not committed yet.
 */
export type Branches = "all" | "followed" | "default" | "beside";

/** One version of a lock that its medium kept. */
export interface LockVersion {
  readonly serial: number;
  /** When it was written, in ISO 8601. */
  readonly at: string;
  /** Who wrote it, as messages name them. */
  readonly who?: string;
}

/** The text of a version, and what its seal says. */
export interface FoundVersion {
  readonly serial: number;
  readonly text: string;
  readonly seal?: SealVerdict;
}

/** The earlier versions of a lock, where its medium keeps them. */
export interface LockHistory {
  /** Gives the versions, newest first, the present one included. */
  versions(): Promise<readonly LockVersion[]>;
  /** Gives the version with this serial, and what its seal says; null if there is none. */
  at(serial: number): Promise<{ readonly text: string; readonly seal?: SealVerdict } | null>;
  /** Gives the newest version of which the text, and what its seal says, is accepted; several may have one serial. */
  find(accepts: (text: string, seal: SealVerdict) => boolean): Promise<FoundVersion | undefined>;
  /** If it keeps them: gives the longest accepted one of the journals that were lately beside a lock with this text. */
  findJournal?(lock: string | null, accepts: (text: string) => boolean): Promise<string | undefined>;
}

/** How messages name the parts of a state. */
export interface StateNames {
  /** Such as `agentform.lock`. */
  readonly lockName: string;
  readonly journalName: string;
}

/** A state that can be read. */
export interface ReadableState extends StateNames {
  /** Reads without holding; never writes. */
  read(): Promise<StoredState>;
  /** Brings what this machine has of the medium up to date, where `read` shows that. */
  refresh?(): Promise<void>;
}

/** A state that one process holds at a time. */
export interface HoldableState {
  /** Takes it for this process, or throws `StoreHeldError`; takes over from a holder that is certainly dead. */
  acquire(): Promise<void>;
  /** Gives it back. */
  release(): Promise<void>;
  /** Removes the holder with this nonce, even a living one; gives whether there was one. */
  unlock(nonce: string): Promise<boolean>;
}

/** A state that its holder changes. */
export interface WritableState extends ReadableState {
  /** Whether the machine can lose flushed records, so that an apply must first claim durably what it may send. */
  readonly needsClaim: boolean;
  /** Resolves once the medium has said that we hold it, after this call if it `hasWaited`; `StoreChangedError` if not. */
  confirm(hasWaited: boolean): Promise<void>;
  /** Adds a line, durable after a later `flush`, while the state is held; one left behind is never continued. */
  append(line: string): void;
  /** Resolves when all earlier lines are durable; simultaneous calls share one sync. */
  flush(): Promise<void>;
  /** Replaces the lock that was read (else throws `StoreChangedError`), removes the journal, gives the version. */
  replace(lock: string, version: string | null): Promise<string>;
}

/** Keeps the lock, the journal and the holder of one environment; nothing outside a store depends on its medium. */
export interface LockStore extends WritableState, HoldableState {
  /** What is known of the state beside its medium, unless the medium is of this machine alone. */
  readonly memory?: LockMemory;
  /** If the medium keeps them: the earlier versions of the lock. */
  readonly history?: LockHistory;
  /** If the medium can list them: gives the environments of the workspace of which it has anything. */
  environments?(): Promise<readonly (string | null)[]>;
  /** If it is sealed: judges the seal of another state of the environment, also under an earlier name. */
  opens?<Texts extends StateTexts>(other: Texts, owner?: LockOwner): Texts & Pick<StoredState, "seal">;
  /** If it is sealed: gives the newest version of the lock whose seal is right, as far as the medium or this machine has one. */
  lastSealed?(): Promise<OtherState | undefined>;
}
