import { bare, say } from "../../core/finding/said.js";
import {
  StoreChangedError,
  StoreFailedError,
  type LockHistory,
  type LockMemory,
  type LockStore,
  type LockVersion,
  type StateNames,
  type StoredState,
  type WritableState,
} from "../../core/state/lock-store.js";

/** The time in which only this process writes a medium. */
export interface Tenure extends Pick<WritableState, "confirm" | "append" | "flush" | "replace"> {
  /** That of this process, which a server names as the holder while it answers with its newest state; none for a disk. */
  readonly nonce?: string;
  /** Gives the medium back. */
  release(): Promise<void>;
}

/** A medium as this process reaches it, until it is closed. */
export interface Access {
  read(): Promise<StoredState>;
  /** Takes it for this process; throws StoreHeldError if another may be alive that has it. */
  take(): Promise<Tenure>;
  /** Removes the holder with this nonce, even a living one; gives whether there was one. */
  unlock(nonce: string): Promise<boolean>;
  /** Brings what this machine has of it up to date, where `read` shows that. */
  refresh?(): Promise<void>;
  close?(): void;
}

/** A version of the lock, and how its text is read; null if it is there no more. */
export interface KeptVersion extends LockVersion {
  text(): Promise<string | null>;
}

/** Gives a time in milliseconds in ISO 8601; empty for what is none, for others may have chosen the number. */
export function writtenAt(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

/** What every store may be given, whatever its medium. */
export interface StoreCare {
  /** Throws StoreFailedError if the medium must not be used now; asked each time before it is reached, or taken. */
  readonly guard?: (isTaken: boolean) => void;
  /** What to do if there is no lock, although something may have been applied. */
  readonly otherwise?: string;
  /** Gives what this machine remembers of the state with this name; nothing where the medium itself is on the machine. */
  readonly remember?: (lockName: string) => LockMemory;
}

/** Where lock, journal and holder are kept. */
export interface Medium<Channel extends Access> extends StateNames, StoreCare {
  readonly needsClaim: boolean;
  /** Throws StoreFailedError if it cannot be reached with these settings. */
  connect(): Channel;
  /** Gives the environments of the workspace of which the medium has anything, if it can list them. */
  readonly environments?: (way: Channel) => Promise<readonly (string | null)[]>;
  /** Gives the versions of the lock, newest first, if the medium keeps them. */
  readonly versions?: (way: Channel) => Promise<readonly KeptVersion[]>;
  /** Gives the journals that were lately beside a lock with this text, longest first, if the medium keeps the versions. */
  readonly journals?: (way: Channel, lock: string | null) => Promise<readonly Pick<KeptVersion, "text">[]>;
}

/** The store above a medium that is connected to: it is reached for each reading, and for as long as this process holds it. */
export class MediumStore<Channel extends Access> implements LockStore {
  readonly needsClaim: boolean;
  readonly lockName: string;
  readonly journalName: string;
  readonly history?: LockHistory;
  readonly memory?: LockMemory;
  readonly environments?: () => Promise<readonly (string | null)[]>;
  #held: { readonly way: Channel; readonly tenure: Tenure } | undefined;

  constructor(private readonly medium: Medium<Channel>) {
    const { needsClaim, lockName, journalName, versions, remember, environments, journals } = medium;
    [this.needsClaim, this.lockName, this.journalName] = [needsClaim, lockName, journalName];
    if (remember) this.memory = remember(lockName);
    if (environments) this.environments = async () => await this.#using(environments);
    if (!versions) return;
    this.history = {
      versions: () => this.#using((way) => historyOf(() => versions(way)).versions()),
      at: (serial) => this.#using((way) => historyOf(() => versions(way)).at(serial)),
      find: (accepts) => this.#using((way) => historyOf(() => versions(way)).find(accepts)),
      ...(journals && {
        findJournal: (lock, accepts) =>
          this.#using(async (way) => await firstAccepted(await journals(way, lock), accepts)),
      }),
    };
  }

  async read(): Promise<StoredState> {
    const { otherwise } = this.medium;
    const state = await this.#using((way) => way.read());
    const nonce = this.#held?.tenure.nonce;
    // One of several servers may answer with what was there before, of which all that is sent next would be made.
    if (nonce !== undefined && state.holder?.nonce !== nonce) {
      throw new StoreChangedError(
        say`${bare({ lock: this.lockName })} was unlocked, or the server answered with an older state`,
      );
    }
    return state.lock === null && otherwise !== undefined ? { ...state, otherwise } : state;
  }

  async refresh(): Promise<void> {
    await this.#using(async (way) => await way.refresh?.());
  }

  async acquire(): Promise<void> {
    this.medium.guard?.(true);
    const way = this.medium.connect();
    try {
      this.#held = { way, tenure: await way.take() };
    } catch (thrown) {
      way.close?.();
      throw thrown;
    }
  }

  async confirm(hasWaited: boolean): Promise<void> {
    await this.#tenure.confirm(hasWaited);
  }

  append(line: string): void {
    this.#held?.tenure.append(line);
  }

  async flush(): Promise<void> {
    await this.#tenure.flush();
  }

  async replace(lock: string, version: string | null): Promise<string> {
    const written = await this.#tenure.replace(lock, version);
    this.memory?.keep(lock);
    return written;
  }

  async release(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    try {
      await held?.tenure.release();
    } finally {
      held?.way.close?.();
    }
  }

  async unlock(nonce: string): Promise<boolean> {
    return await this.#using((way) => way.unlock(nonce));
  }

  get #tenure(): Tenure {
    if (this.#held) return this.#held.tenure;
    const hint = "this is a bug, please report it; `agentform lock status` says who holds the state";
    throw new StoreFailedError(say`${bare({ lock: this.lockName })} is not held`, hint);
  }

  async #using<Result>(run: (way: Channel) => Promise<Result>): Promise<Result> {
    if (this.#held) return await run(this.#held.way);
    this.medium.guard?.(false);
    const way = this.medium.connect();
    try {
      return await run(way);
    } finally {
      way.close?.();
    }
  }
}

async function firstAccepted(
  journals: readonly Pick<KeptVersion, "text">[],
  accepts: (text: string) => boolean,
): Promise<string | undefined> {
  for (const { text: read } of journals) {
    const text = await read();
    if (text !== null && accepts(text)) return text;
  }
  return undefined;
}

// Each is read from the medium.
const mostSearched = 50;

/** Gives the earlier versions of a lock from what its medium kept. */
function historyOf(kept: () => Promise<readonly KeptVersion[]>): LockHistory {
  return {
    versions: async () =>
      (await kept()).map(({ serial, at, who }) => ({ serial, at, ...(who !== undefined && { who }) })),
    async at(serial) {
      const text = await (await kept()).find((each) => each.serial === serial)?.text();
      return text === undefined || text === null ? null : { text };
    },
    async find(accepts) {
      for (const { serial, text: read } of (await kept()).slice(0, mostSearched)) {
        const text = await read();
        if (text !== null && accepts(text, undefined)) return { serial, text };
      }
      return undefined;
    },
  };
}
