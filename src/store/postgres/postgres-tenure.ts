import { unlockCommand } from "../../core/state/state-choice.js";
import { bare, say } from "../../core/finding/said.js";
import { StateLostError, StoreChangedError, StoreFailedError } from "../../core/state/lock-store.js";
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

interface TenureParts {
  readonly database: Database;
  readonly table: StateTable;
  readonly nonce: string;
  /** What the row has of this process, beside its nonce. */
  readonly holder: string;
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

/** The time of holding a state in a database; a statement expects what it found, so it is never done twice. */
export class PostgresTenure implements Tenure {
  readonly nonce: string;
  readonly #journal: RowJournal;
  readonly #known: Confidence;
  /** The number of the present lock; 0 for none. */
  #number: number;
  /** The digest of the present lock; null for none. */
  #digest: string | null;
  /** Whether records were committed since that lock. */
  #hasRecords = false;
  /** Whether the database could not be reached in time, so that there is no second long wait for it. */
  #isCutOff = false;

  constructor(
    private readonly parts: TenureParts,
    taken: Row,
  ) {
    this.nonce = parts.nonce;
    this.#number = Number(taken["number"]);
    this.#digest = taken["digest"] ?? null;
    this.#known = new Confidence(knownFor, parts.asked);
    const { journalName, patience } = parts;
    const isLeftBehind = taken["records"] !== "0";
    this.#journal = new RowJournal(this.#add.bind(this), journalName, isLeftBehind, patience);
  }

  async confirm(hasWaited: boolean): Promise<void> {
    await this.#known.ensure(hasWaited, async () => {
      const { committed } = this.#journal;
      const found = Number((await this.#look())["records"]);
      // What is sent next may have its record among those.
      if (found < committed) await this.#journal.restore(found);
    });
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
      const wait = this.#isCutOff ? shortPatience : patience;
      const [done] = await this.#reach(statement, wait);
      this.#number = done ? Number(done["number"]) : await this.#numberOf(digest, statement, wait);
      this.#digest = digest;
      this.#hasRecords = false;
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
  async #add(from: number, added: readonly string[], patience: number): Promise<number> {
    const { table, nonce, lockName } = this.parts;
    const tenure = { nonce, number: this.#number };
    const asked = new Elapsed();
    const done = await this.#reach(table.append(tenure, from, added), patience);
    if (done.length > 0) {
      this.#hasRecords = true;
      this.#known.note(asked);
      return from + added.length;
    }
    const row = await this.#look();
    const records = Number(row["records"]);
    // A row that has what is expected but is not found would never be: its number may be indistinct from another.
    if (Number(row["number"]) === this.#number && records !== from) return records;
    throw new StoreChangedError(say`${bare({ lock: lockName })} was changed elsewhere`);
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

  // Nothing was replaced: by now it may be, by a statement whose answer was lost, or it can be, for the state is taken again.
  async #numberOf(digest: string, statement: Statement, patience: number): Promise<number> {
    const before = this.#hasRecords;
    const row = await this.#look();
    const number = Number(row["number"]);
    if (row["digest"] === digest && number > this.#number) return number;
    const [done] = before && !this.#hasRecords ? await this.#reach(statement, patience) : [];
    if (done) return Number(done["number"]);
    throw new StoreChangedError(
      say`${bare({ lock: this.parts.lockName })} was changed elsewhere since it was read`,
    );
  }

  async #look(): Promise<Row> {
    const { database, table, nonce, lockName, patience } = this.parts;
    const [row] = await database.ask(table.look(), "read", patience);
    const [number, records] = [Number(row?.["number"] ?? 0), Number(row?.["records"] ?? 0)];
    if (row?.["nonce"] === nonce && number >= this.#number) return row;
    const taken = this.#isLost(row) ? await this.#takeAgain() : undefined;
    if (taken) return { ...row, ...taken };
    // Whoever unlocks it leaves both, and a new lock counts on.
    if (number < this.#number || (number === this.#number && records < this.#journal.committed))
      throw new StateLostError(
        say`the server has lost what this process had written to ${bare({ lock: lockName })}`,
      );
    throw new StoreChangedError(say`${bare({ lock: lockName })} was unlocked and is no longer held`);
  }

  // An unlock leaves the records, and only a new lock removes them. So a row without them after the same lock is of a
  // server that has lost all since this process took it, such as a standby that took over, and nobody has written since.
  #isLost(row: Row | undefined): boolean {
    const isFree = (row?.["nonce"] ?? null) === null;
    return this.#hasRecords && isFree && this.#isUntouched(row);
  }

  async #takeAgain(): Promise<Row | undefined> {
    const { database, table, nonce, holder, patience } = this.parts;
    // With its own nonce, for the first answer may have been lost.
    const [taken] = await database.ask(table.take(nonce, holder, nonce), "taken", patience);
    if (taken && !this.#isUntouched(taken)) await database.ask(table.release(nonce), "unlocked", patience);
    if (!taken || !this.#isUntouched(taken)) return undefined;
    this.#hasRecords = false;
    return taken;
  }

  #isUntouched(row: Row | undefined): boolean {
    const { number = "0", digest = null, records = "0" } = row ?? {};
    return Number(number) === this.#number && digest === this.#digest && Number(records) === 0;
  }
}

// What takes the place of a lock that has moved away is no version of it.
function serialOf(lock: string): number | undefined {
  const { value } = parseJson(lock);
  const serial = isObject(value) && !moveIn(value) ? value.serial : undefined;
  return typeof serial === "number" && Number.isSafeInteger(serial) ? serial : undefined;
}
