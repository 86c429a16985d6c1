import { bare, say } from "../../core/finding/said.js";
import { StoreChangedError, StoreFailedError, unlockCommand } from "../../core/state/lock-store.js";
import { moveIn } from "../../core/state/lock-move.js";
import { isObject } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import { versionOf } from "../local/lock-file.js";
import { Confidence } from "../medium/confidence.js";
import { Elapsed } from "../medium/elapsed.js";
import type { Tenure } from "../medium/medium-store.js";
import type { Database } from "./database.js";
import type { Row, Rows, Statement } from "./postgres-line.js";
import { RowJournal } from "./row-journal.js";
import type { StateTable } from "./state-table.js";

/** What a tenure works with. */
interface TenureParts {
  readonly database: Database;
  readonly table: StateTable;
  readonly nonce: string;
  /** When this process asked for the state. */
  readonly asked: Elapsed;
  readonly host: string;
  readonly lockName: string;
  readonly journalName: string;
  /** How long a statement is retried, in milliseconds, and how long once the database could not be reached. */
  readonly patience: number;
  readonly shortPatience: number;
}

/** For how many milliseconds a commit of this process, or an answer who holds the state, counts before the next request. */
const knownFor = 1000;

/**
 * The time in which this process has the state in a database.
 *
 * A statement whose answer was lost may have been done, or may be done later: it expects the lock and the number of
 * records that it found, so it is never done twice.
 */
export class PostgresTenure implements Tenure {
  readonly #journal: RowJournal;
  readonly #known: Confidence;
  /** The number of the present lock; 0 for none. */
  #number: number;
  /** Whether the database could not be reached in time, so that there is no second long wait for it. */
  #isCutOff = false;

  constructor(
    private readonly parts: TenureParts,
    taken: Row,
  ) {
    this.#number = Number(taken["number"]);
    this.#known = new Confidence(knownFor, parts.asked);
    const { journalName, patience } = parts;
    const isLeftBehind = taken["records"] !== "0";
    this.#journal = new RowJournal(this.#add.bind(this), journalName, isLeftBehind, patience);
  }

  async confirm(hasWaited: boolean): Promise<void> {
    await this.#known.ensure(hasWaited, async () => void (await this.#look()));
  }

  append(line: string): void {
    this.#journal.append(line);
  }

  async flush(): Promise<void> {
    await this.#journal.flush();
  }

  async replace(lock: string, version: string | null): Promise<string> {
    const { table, nonce, host, journalName, patience, shortPatience } = this.parts;
    const digest = versionOf(lock);
    const written = { lock, digest, serial: serialOf(lock), host };
    const statement = table.replace({ nonce, number: this.#number }, written, version);
    try {
      const [done] = await this.#reach(statement, this.#isCutOff ? shortPatience : patience);
      this.#number = done ? Number(done["number"]) : await this.#numberOf(digest);
    } catch (thrown) {
      if (!(thrown instanceof StoreFailedError)) throw thrown;
      const isKept = await this.#journal.settle();
      const rest = isKept ? `${journalName} has everything, and the next apply stores it` : "apply again";
      throw new StoreFailedError(say`${thrown.said}, so the new lock is not stored: ${rest}`, thrown.hint);
    }
    this.#journal.restart();
    return digest;
  }

  async release(): Promise<void> {
    const { database, table, nonce, patience } = this.parts;
    this.#known.end();
    try {
      await this.#journal.settle();
      await database.ask(table.release(nonce), "unlocked", this.#isCutOff ? 0 : patience);
    } catch (thrown) {
      if (!(thrown instanceof StoreFailedError)) throw thrown;
      throw new StoreFailedError(
        say`${thrown.said}, so it is still held: the next apply on this machine takes it over, any other needs \`${bare({ command: unlockCommand(nonce, { environment: table.environment }) })}\` first`,
        thrown.hint,
      );
    }
  }

  /** Adds records to the journal after the first `from`; gives how many there are then. */
  async #add(from: number, records: readonly string[], patience: number): Promise<number> {
    const { table, nonce, lockName } = this.parts;
    const tenure = { nonce, number: this.#number };
    const asked = new Elapsed();
    const done = await this.#reach(table.append(tenure, from, records), patience);
    if (done.length > 0) {
      this.#known.note(asked);
      return from + records.length;
    }
    const row = await this.#look();
    if (Number(row["number"]) === this.#number) return Number(row["records"]);
    throw new StoreChangedError(
      say`${bare({ lock: lockName })} was changed elsewhere, or the server has lost the last lock`,
    );
  }

  /** Runs a statement, and remembers whether the database could be reached. */
  async #reach(statement: Statement, patience: number): Promise<Rows> {
    try {
      const rows = await this.parts.database.ask(statement, "written", patience);
      this.#isCutOff = false;
      return rows;
    } catch (thrown) {
      this.#isCutOff = true;
      throw thrown;
    }
  }

  // Nothing was replaced: by now it may be, by a statement whose answer was lost.
  async #numberOf(digest: string): Promise<number> {
    const row = await this.#look();
    const number = Number(row["number"]);
    if (row["digest"] === digest && number > this.#number) return number;
    throw new StoreChangedError(
      say`${bare({ lock: this.parts.lockName })} was changed elsewhere since it was read`,
    );
  }

  async #look(): Promise<Row> {
    const { database, table, nonce, lockName, patience } = this.parts;
    const [row] = await database.ask(table.look(), "read", patience);
    if (row?.["nonce"] === nonce) return row;
    throw new StoreChangedError(say`${bare({ lock: lockName })} was unlocked and is no longer held`);
  }
}

// What takes the place of a lock that has moved away is no version of it.
function serialOf(lock: string): number | undefined {
  const { value } = parseJson(lock);
  const serial = isObject(value) && !moveIn(value) ? value.serial : undefined;
  return typeof serial === "number" && Number.isSafeInteger(serial) ? serial : undefined;
}
