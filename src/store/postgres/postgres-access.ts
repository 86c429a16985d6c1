import { bare, say } from "../../core/finding/said.js";
import { busyHint } from "../../core/state/store-hints.js";
import {
  StoreFailedError,
  StoreHeldError,
  type Holder,
  type StateNames,
  type StoredState,
} from "../../core/state/lock-store.js";
import { versionOf } from "../local/lock-file.js";
import { describeThisProcess, holderOf } from "../local/process-record.js";
import { Elapsed } from "../medium/elapsed.js";
import type { Access, KeptVersion } from "../medium/medium-store.js";
import type { Database } from "./database.js";
import type { Row, Rows } from "./postgres-line.js";
import { PostgresTenure } from "./postgres-tenure.js";
import type { StateTable } from "./state-table.js";

/** How often a state that changes hands is asked for. */
const attempts = 4;

/**
 * The state in a PostgreSQL database.
 *
 * Why two processes never hold it at once, and nothing is lost: the holder is a nonce in the environment's row, and
 * every statement of a process changes that row only if it has the process's own nonce (`StateTable`). The records of
 * the journal are committed in the same statement, before anything is sent. So who takes the state reads all of them,
 * and a process that was stopped, and goes on after another was unlocked for, commits nothing and sends nothing.
 */
export class PostgresAccess implements Access {
  constructor(
    private readonly database: Database,
    private readonly table: StateTable,
    private readonly names: StateNames,
    /** How long a statement of the holder is retried, in milliseconds, and one of who holds nothing. */
    private readonly patience: number,
    private readonly shortPatience: number,
  ) {}

  async read(): Promise<StoredState> {
    const [row] = await this.#read(this.table.read());
    const lock = row?.["lock"] ?? null;
    const version = versionOf(lock);
    if (version !== (row?.["digest"] ?? null)) {
      throw new StoreFailedError(
        say`the lock in ${bare({ lock: this.names.lockName })} is not as agentform wrote it`,
        "rows were changed or removed by hand: put back what was there, see docs/reference/postgres-store.md",
      );
    }
    const newest = Number(row?.["newest"] ?? 0);
    // What takes the place of a lock that has moved away has no serial.
    const isBehind = newest > Number(row?.["serial"] ?? (lock === null ? 0 : newest));
    const state = { version, lock, journal: journalIn(row), holder: holderIn(row) };
    return { ...state, ...(isBehind && { newest }) };
  }

  async take(): Promise<PostgresTenure> {
    const { database, table, names, patience, shortPatience } = this;
    await database.makeTables(shortPatience);
    const asked = new Elapsed();
    const record = describeThisProcess();
    const { nonce, host } = record;
    const holder = `${JSON.stringify(record)}\n`;
    const taken = await this.#take(nonce, holder);
    const parts = { database, table, nonce, holder, asked, host, ...names, patience, shortPatience };
    return new PostgresTenure(parts, taken);
  }

  async unlock(nonce: string): Promise<boolean> {
    const [row] = await this.#read(this.table.look());
    const found = row?.["nonce"] ?? null;
    if (found === null || holderIn(row)?.nonce !== nonce) return false;
    await this.database.ask(this.table.release(found), "unlocked", this.shortPatience);
    return true;
  }

  async environments(): Promise<(string | null)[]> {
    const rows = await this.#read(this.table.environments());
    return rows.map(({ environment }) => (environment === "" ? null : (environment ?? null)));
  }

  async versions(): Promise<KeptVersion[]> {
    const rows = await this.#read(this.table.versions());
    return rows.map((row) => {
      const serial = Number(row["serial"]);
      const lockOf = this.table.version(row["number"] ?? null);
      const text = async () => (await this.#read(lockOf))[0]?.["lock"] ?? null;
      return { serial, at: row["at"] ?? "", ...(row["who"] && { who: row["who"] }), text };
    });
  }

  close(): void {
    this.database.close();
  }

  /** Takes the state, also from a process that is certainly dead; gives its row. */
  async #take(nonce: string, holder: string): Promise<Row> {
    const { database, table, shortPatience } = this;
    let from: string | null = null;
    for (let attempt = 1; ; attempt++) {
      const [taken] = await database.ask(table.take(nonce, holder, from), "taken", shortPatience);
      if (taken) return taken;
      const [row] = await database.ask(table.look(), "read", shortPatience);
      const found = holderIn(row);
      if (row?.["nonce"] === nonce) return row;
      if (found !== null && (found.life === "alive" || attempt >= attempts)) throw new StoreHeldError(found);
      if (attempt >= 10 * attempts)
        throw new StoreFailedError(
          say`${bare({ lock: this.names.lockName })} changes hands all the time`,
          busyHint,
        );
      from = row?.["nonce"] ?? null;
    }
  }

  /** Reads rows; none if there are no tables. */
  async #read(statement: Parameters<Database["ask"]>[0]): Promise<Rows> {
    const { database, shortPatience } = this;
    if (!(await database.hasTables(shortPatience))) return [];
    return await database.ask(statement, "read", shortPatience);
  }
}

// The checksums of its lines say nothing of lines that are missing at its end: a text of these is damaged, and mended as such.
function journalIn(row: Row | undefined): string | null {
  const journal = row?.["journal"] ?? null;
  const missing = Number(row?.["records"] ?? 0) - Number(row?.["found"] ?? 0);
  return missing > 0 ? `${journal ?? ""}${missing} of the rows are missing\n\n` : journal;
}

function holderIn(row: Row | undefined): Holder | null {
  const text = row?.["nonce"] === undefined || row["nonce"] === null ? null : (row["holder"] ?? "");
  if (text === null) return null;
  const seen = row?.["seen"];
  return { ...holderOf(text), ...(seen && { seen }) };
}
