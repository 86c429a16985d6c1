import type { LockText } from "./lock-text.js";

/** What a store holds, at one moment. */
export interface StoredState {
  /** The SHA-256 of the lock's text in hexadecimal digits; null where there is none, or it is never written to. */
  readonly version: string | null;
  /** The lock's text, or null where nothing was ever applied. */
  readonly lock: LockText | null;
  /** The journal's text, or null where no apply is under way or was cut off. */
  readonly journal: string | null;
  /** Who holds the store, if anybody does. */
  readonly holder: Holder | null;
  /** Where there is no lock: how there may be one all the same, that was not brought here. */
  readonly mayBeElsewhere?: string;
}

/** The state of a commit that a change goes to, such as the tip of a branch. */
export interface BaseState {
  readonly base: StoredState;
  /** The state of the commit at which the change began; that of the base where it is the same one. */
  readonly fork: StoredState;
  /** What people call the lock of the base. */
  readonly source: string;
}

/** The apply that holds a store. */
export interface Holder {
  readonly nonce: string;
  readonly pid: number;
  readonly host: string;
  /** When it was taken, in ISO 8601. */
  readonly since: string;
  /** `dead` only where that is certain; what is on another host counts as alive. */
  readonly life: "alive" | "dead";
}

/** The store is held by another apply that may be alive. */
export class StoreHeldError extends Error {
  override readonly name = "StoreHeldError";

  constructor(readonly holder: Holder) {
    super(`held by process ${holder.pid} on ${holder.host} since ${holder.since}`);
  }
}

/** The lock was changed by another since it was read. */
export class StoreChangedError extends Error {
  override readonly name = "StoreChangedError";
}

/** The store's medium failed: a full disk, a folder that cannot be written. */
export class StoreFailedError extends Error {
  override readonly name = "StoreFailedError";

  constructor(
    message: string,
    /** What to do about it, where that is known. */
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** Git tracks what is local to a machine, so that a commit may have brought it. */
export class StateTrackedError extends StoreFailedError {}

/** Lock and journal as they were, or are elsewhere in a store's medium. */
export interface OtherState {
  readonly lock: string | null;
  readonly journal: string | null;
  /** Where they were found, as people say it. */
  readonly where: string;
}

/** What a medium knows of a lock beside what it has now. */
export interface Recollection {
  readonly states: readonly OtherState[];
  /** Up to where it was looked, to be given back the next time. */
  readonly marks: readonly string[];
  /** Whether there may be more than could be looked at. */
  readonly isCut: boolean;
}

/** The memory of a medium that others can set back, such as files in git. */
export interface LockMemory {
  /** The lock as this machine last wrote it, or null. */
  readonly written: string | null;
  /** Gives other states of the lock, but for those up to marks that are known. */
  others(known: readonly string[]): Promise<Recollection>;
}

/** Keeps the lock, the journal and the holder of one environment; nothing outside a store knows what it is made of. */
export interface LockStore {
  /**
   * Whether what is flushed may be lost with the machine for a while, so that an apply must make everything
   * that it may create durable, as a claim, before it sends anything.
   */
  readonly needsClaim: boolean;
  /** What people call the lock, such as `agentform.lock`, and the journal. */
  readonly lockName: string;
  readonly journalName: string;
  /** Where the medium can be set back: what is remembered of the lock. */
  readonly memory?: LockMemory;
  /** Reads without holding; never writes. */
  read(): Promise<StoredState>;
  /** Takes the store for this process, or throws `StoreHeldError`; a holder that is certainly dead is taken over. */
  acquire(): Promise<void>;
  /**
   * Adds a line to the journal; it is durable once `flush` has resolved after it. A journal that was left
   * behind is never continued: `replace` comes first.
   */
  append(line: string): void;
  /** Resolves when all that was appended before is durable; calls at the same time share one sync. */
  flush(): Promise<void>;
  /**
   * Replaces the lock if it still has the version that was read (else throws `StoreChangedError`), removes the
   * journal, and gives the new version.
   */
  replace(lock: string, version: string | null): Promise<string>;
  /** Gives the store back. */
  release(): Promise<void>;
}
