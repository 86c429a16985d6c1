import {
  StoreFailedError,
  type LockHistory,
  type LockVersion,
  type StoredState,
  type LockStore,
} from "../../core/state/lock-store.js";
import { versionOf } from "../local/lock-file.js";
import { describeThisProcess, type ProcessRecord } from "../local/process-record.js";
import type { Contents } from "./contents.js";
import { Hold, type HeldMedium } from "./hold.js";
import { holderOf } from "./holder-record.js";
import { fullestJournal } from "./left-behind.js";
import { MachineJournal } from "./machine-journal.js";

/** Where a store on a server keeps its state, and how long it waits. */
export interface ServerStoreOptions<Server> {
  /** Connects to the server; throws StoreFailedError if that is not possible with these settings. */
  readonly connect: () => Server;
  /** How messages name the lock, such as `s3://bucket/key`. */
  readonly lockName: string;
  /** Absolute; this machine's journal. Its folder is made when needed, ignored by git. */
  readonly journalFile: string;
  readonly journalName: string;
  /** The environment, for the commands that messages name. */
  readonly environment?: string | null;
  /** The time between two writes of progress, in milliseconds; 3000 unless given. */
  readonly pushInterval?: number;
  /** How long a write that must arrive is retried, in milliseconds; a minute unless given. */
  readonly patience?: number;
}

/** The process that takes a state, its journal on this machine, and how long a write is retried, in milliseconds. */
export interface Taker {
  readonly record: ProcessRecord;
  readonly journal: MachineJournal;
  readonly patience: number;
}

/** How a state is read, taken and taken away on one kind of server. */
export interface ServerProtocol<Server> {
  read(server: Server): Promise<Contents>;
  /** Takes the state for a process, and begins its journal; throws StoreHeldError if that is not possible. */
  take(server: Server, taker: Taker): Promise<HeldMedium>;
  /** Removes the holder with this nonce; gives whether there was one. */
  unlock(server: Server, nonce: string, patience: number): Promise<boolean>;
  /** The earlier versions of the lock, if the server keeps them. */
  readonly history?: {
    versions(server: Server): Promise<readonly LockVersion[]>;
    at(server: Server, serial: number): Promise<string | null>;
  };
}

/** A lock store on a server: it is connected to for each reading, and for as long as this process holds it. */
export class ServerStore<Server extends { close(): void }> implements LockStore {
  readonly needsClaim = true;
  readonly lockName: string;
  readonly journalName: string;
  readonly history?: LockHistory;
  readonly #journal: MachineJournal;
  #held: { readonly hold: Hold; readonly server: Server } | undefined;

  constructor(
    private readonly options: ServerStoreOptions<Server>,
    private readonly protocol: ServerProtocol<Server>,
  ) {
    this.lockName = options.lockName;
    this.journalName = options.journalName;
    this.#journal = new MachineJournal(options.journalFile, options.journalName);
    const { history } = protocol;
    if (!history) return;
    this.history = {
      versions: () => this.#using((server) => history.versions(server)),
      at: (serial) => this.#using((server) => history.at(server, serial)),
    };
  }

  async read(): Promise<StoredState> {
    // Before the server: a replace writes there before it removes this machine's journal.
    const local = this.#journal.read();
    const { lock, journal, holder } = await this.#using((server) => this.protocol.read(server));
    const fullest = fullestJournal({ journal }, local);
    return { version: versionOf(lock), lock, journal: fullest, holder: holderOf(holder) };
  }

  async acquire(): Promise<void> {
    const { connect, pushInterval = 3000, patience = 60_000, environment = null } = this.options;
    const { lockName, journalName } = this;
    const journal = this.#journal;
    const server = connect();
    try {
      const record = describeThisProcess();
      const medium = await this.protocol.take(server, { record, journal, patience: this.#shortPatience });
      const names = { nonce: record.nonce, lockName, journalName, environment };
      this.#held = { hold: new Hold({ medium, journal, ...names, pushInterval, patience }), server };
    } catch (thrown) {
      server.close();
      throw thrown;
    }
  }

  append(line: string): void {
    if (this.#held) this.#journal.append(line);
  }

  async flush(): Promise<void> {
    await this.#hold.flush();
  }

  async replace(lock: string, version: string | null): Promise<string> {
    return await this.#hold.replace(lock, version);
  }

  async release(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    try {
      await held?.hold.release();
    } finally {
      held?.server.close();
    }
  }

  async unlock(nonce: string): Promise<boolean> {
    return await this.#using((server) => this.protocol.unlock(server, nonce, this.#shortPatience));
  }

  get #shortPatience(): number {
    return Math.min(this.options.patience ?? 60_000, 10_000);
  }

  get #hold(): Hold {
    if (!this.#held) throw new StoreFailedError(`${this.lockName} is not held`);
    return this.#held.hold;
  }

  async #using<Result>(run: (server: Server) => Promise<Result>): Promise<Result> {
    if (this.#held) return await run(this.#held.server);
    const server = this.options.connect();
    try {
      return await run(server);
    } finally {
      server.close();
    }
  }
}
