import {
  StoreChangedError,
  StoreFailedError,
  StoreHeldError,
  type Holder,
  type LockHistory,
  type LockVersion,
  type StoredState,
  unlockCommand,
  type LockStore,
} from "../../core/state/lock-store.js";
import { moveIn } from "../../core/state/lock-move.js";
import { isObject } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import { versionOf } from "../local/lock-file.js";
import { describeThisProcess } from "../local/process-record.js";
import { holderOf } from "../network/holder-record.js";
import type { Database } from "./database.js";
import type { Row, Rows, Statement } from "./postgres-line.js";
import { RowJournal, type RecordWriter } from "./row-journal.js";
import type { StateTable, Tenure } from "./state-table.js";

/** Where a store keeps its state, and how long it waits. */
export interface PostgresStoreOptions {
  /** Prepares the connection; throws StoreFailedError if that is not possible with these settings. */
  readonly connect: () => Database;
  readonly table: StateTable;
  /** How messages name the lock. */
  readonly lockName: string;
  /** How long a statement of the holder is retried, in milliseconds; a minute unless given. */
  readonly patience?: number;
}

/** What this process knows of a state that it holds. */
interface Held {
  readonly database: Database;
  readonly host: string;
  readonly journal: RowJournal;
  tenure: Tenure;
  /** Whether the database could not be reached in time, so that there is no second long wait for it. */
  isCutOff: boolean;
}

/** How often a state that changes hands is asked for. */
const attempts = 4;

/** How long a statement of who holds nothing is retried, in milliseconds. */
const shortPatience = 5000;

/**
 * A lock store in a PostgreSQL database.
 *
 * Why two processes never hold it at once, and nothing is lost: the holder is a nonce in the environment's row, and
 * every statement of a process changes that row only if it has the process's own nonce (`StateTable`). The records of
 * the journal are committed in the same statement, before anything is sent. So who takes the state reads all of them,
 * and a process that was stopped, and goes on after another was unlocked for, commits nothing and sends nothing.
 *
 * A statement whose answer was lost may have been done, or may be done later: it expects the lock and the number of
 * records that it found, so it is never done twice.
 */
export class PostgresStore implements LockStore {
  readonly needsClaim = false;
  readonly lockName: string;
  readonly journalName: string;
  readonly history: LockHistory = {
    versions: () => this.#versions(),
    at: (serial) => this.#version(serial),
  };
  readonly #patience: number;
  readonly #table: StateTable;
  #held: Held | undefined;

  constructor(private readonly options: PostgresStoreOptions) {
    this.lockName = options.lockName;
    this.journalName = `the journal in ${options.lockName}`;
    this.#patience = options.patience ?? 60_000;
    this.#table = options.table;
  }

  async read(): Promise<StoredState> {
    const [row] = await this.#rows((database) =>
      database.ask(this.#table.read(), "read", this.#shortPatience),
    );
    const lock = row?.["lock"] ?? null;
    const version = versionOf(lock);
    if (version !== (row?.["digest"] ?? null)) {
      throw new StoreFailedError(
        `the lock in ${this.lockName} is not as agentform wrote it`,
        "rows were changed or removed by hand: put back what was there, see docs/postgres-store.md",
      );
    }
    return { version, lock, journal: row?.["journal"] ?? null, holder: holderIn(row) };
  }

  async acquire(): Promise<void> {
    const database = this.options.connect();
    try {
      await database.makeTables(this.#shortPatience);
      const record = describeThisProcess();
      const { nonce, host } = record;
      const row = await this.#take(database, nonce, `${JSON.stringify(record)}\n`);
      const tenure: Tenure = { nonce, number: Number(row["number"]) };
      const writer: RecordWriter = { write: (...written) => this.#write(this.#holding, ...written) };
      const isLeftBehind = row["records"] !== "0";
      const journal = new RowJournal(writer, this.journalName, isLeftBehind, this.#patience);
      this.#held = { database, host, journal, tenure, isCutOff: false };
    } catch (thrown) {
      database.close();
      throw thrown;
    }
  }

  append(line: string): void {
    this.#held?.journal.append(line);
  }

  async flush(): Promise<void> {
    await this.#holding.journal.flush();
  }

  async replace(lock: string, version: string | null): Promise<string> {
    const held = this.#holding;
    const { host, journal, tenure } = held;
    const digest = versionOf(lock);
    const statement = this.#table.replace(tenure, { lock, digest, serial: serialOf(lock), host }, version);
    try {
      const patience = held.isCutOff ? this.#shortPatience : this.#patience;
      const done = await this.#reach(held, statement, patience);
      if (done.length === 0) await this.#checkReplaced(held, digest);
    } catch (thrown) {
      if (!(thrown instanceof StoreFailedError)) throw thrown;
      const isKept = await journal.settle();
      const rest = isKept
        ? `${this.journalName} has everything, and the next apply stores it`
        : "apply again";
      throw new StoreFailedError(`${thrown.message}, so the new lock is not stored: ${rest}`, thrown.hint);
    }
    journal.restart();
    held.tenure = { ...tenure, number: tenure.number + 1 };
    return digest;
  }

  async release(): Promise<void> {
    const held = this.#held;
    if (!held) return;
    const {
      database,
      journal,
      tenure: { nonce },
    } = held;
    try {
      await journal.settle();
      const patience = held.isCutOff ? 0 : this.#patience;
      await database.ask(this.#table.release(nonce), "unlocked", patience);
    } catch (thrown) {
      if (!(thrown instanceof StoreFailedError)) throw thrown;
      throw new StoreFailedError(
        `${thrown.message}, so it is still held: the next apply on this machine takes it over, any other needs \`${unlockCommand(nonce, this.#table.environment)}\` first`,
        thrown.hint,
      );
    } finally {
      this.#held = undefined;
      database.close();
    }
  }

  async unlock(nonce: string): Promise<boolean> {
    const find = async (database: Database): Promise<Rows> => {
      const [row] = await database.ask(this.#table.look(), "read", this.#shortPatience);
      const found = row?.["nonce"] ?? null;
      if (found === null || holderIn(row)?.nonce !== nonce) return [];
      await database.ask(this.#table.release(found), "unlocked", this.#shortPatience);
      return [row ?? {}];
    };
    return (await this.#rows(find)).length > 0;
  }

  get #holding(): Held {
    if (!this.#held) throw new StoreFailedError(`${this.lockName} is not held`);
    return this.#held;
  }

  get #shortPatience(): number {
    return Math.min(this.#patience, shortPatience);
  }

  /** Takes the state, also from a process that is certainly dead; gives its row. */
  async #take(database: Database, nonce: string, holder: string): Promise<Row> {
    let from: string | null = null;
    for (let attempt = 1; ; attempt++) {
      const statement = this.#table.take(nonce, holder, from);
      const [taken] = await database.ask(statement, "taken", this.#shortPatience);
      if (taken) return taken;
      const [row] = await database.ask(this.#table.look(), "read", this.#shortPatience);
      const found = holderIn(row);
      if (row?.["nonce"] === nonce) return row;
      if (found !== null && (found.life === "alive" || attempt >= attempts)) throw new StoreHeldError(found);
      if (attempt >= 10 * attempts) throw new StoreFailedError(`${this.lockName} changes hands all the time`);
      from = row?.["nonce"] ?? null;
    }
  }

  async #write(held: Held, from: number, records: readonly string[], patience: number): Promise<number> {
    const { tenure } = held;
    const done = await this.#reach(held, this.#table.append(tenure, from, records), patience);
    if (done.length > 0) return from + records.length;
    const row = await this.#lookAsHolder(held);
    if (Number(row["number"]) === tenure.number) return Number(row["records"]);
    throw new StoreChangedError(
      `${this.lockName} was changed elsewhere, or the server has lost the last lock`,
    );
  }

  /** Runs a statement of the holder, and remembers whether the database could be reached. */
  async #reach(held: Held, statement: Statement, patience: number): Promise<Rows> {
    try {
      const rows = await held.database.ask(statement, "written", patience);
      held.isCutOff = false;
      return rows;
    } catch (thrown) {
      held.isCutOff = true;
      throw thrown;
    }
  }

  // Nothing was replaced: by now it may be, by a statement whose answer was lost.
  async #checkReplaced(held: Held, digest: string): Promise<void> {
    const row = await this.#lookAsHolder(held);
    if (row["digest"] === digest && Number(row["number"]) === held.tenure.number + 1) return;
    throw new StoreChangedError(`${this.lockName} was changed elsewhere since it was read`);
  }

  async #lookAsHolder({ database, tenure }: Held): Promise<Row> {
    const [row] = await database.ask(this.#table.look(), "read", this.#patience);
    if (row?.["nonce"] === tenure.nonce) return row;
    throw new StoreChangedError(`${this.lockName} was unlocked and is no longer held`);
  }

  async #versions(): Promise<readonly LockVersion[]> {
    const rows = await this.#rows((database) =>
      database.ask(this.#table.versions(), "read", this.#shortPatience),
    );
    return rows.map((row) => ({
      serial: Number(row["serial"]),
      at: row["at"] ?? "",
      ...(row["who"] && { who: row["who"] }),
    }));
  }

  async #version(serial: number): Promise<string | null> {
    const [row] = await this.#rows((database) =>
      database.ask(this.#table.version(serial), "read", this.#shortPatience),
    );
    return row?.["lock"] ?? null;
  }

  /** Reads with the connection of the holder or one of its own; nothing if there are no tables. */
  async #rows(run: (database: Database) => Promise<Rows>): Promise<Rows> {
    if (this.#held) return await run(this.#held.database);
    const database = this.options.connect();
    try {
      return (await database.hasTables(this.#shortPatience)) ? await run(database) : [];
    } finally {
      database.close();
    }
  }
}

function holderIn(row: Row | undefined): Holder | null {
  const text = row?.["nonce"] === undefined || row["nonce"] === null ? null : (row["holder"] ?? "");
  if (text === null) return null;
  const seen = row?.["seen"];
  return { ...holderOf(text), ...(seen && { seen }) };
}

// What takes the place of a lock that has moved away is no version of it.
function serialOf(lock: string): number | undefined {
  const { value } = parseJson(lock);
  const serial = isObject(value) && !moveIn(value) ? value.serial : undefined;
  return typeof serial === "number" && Number.isSafeInteger(serial) ? serial : undefined;
}
