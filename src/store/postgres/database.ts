import { bare, say, type Sentence } from "../../core/finding/said.js";
import { StoreFailedError } from "../../core/state/lock-store.js";
import { patiently, type Chance, type Tried } from "../medium/patience.js";
import type { PostgresFault, PostgresLine, Rows, Statement, Row } from "./postgres-line.js";
import type { Doing } from "../network/refusal.js";
import { failureOf, isPassing, type DatabaseNames } from "./postgres-refusal.js";
import type { StateTable } from "./state-table.js";
import { quoted, schemaSql, shownRole, tablesFormat, tablesSql } from "./tables.js";

type FaultChance = PostgresFault & Chance;

/** The database of a state, with the tables in it. */
export class Database {
  /** Whether the tables are as they must be, to read and to write. */
  #isKnown = { read: false, write: false };

  constructor(
    private readonly line: PostgresLine,
    private readonly table: StateTable,
    private readonly names: DatabaseNames,
  ) {}

  /** Runs a statement, again for so many milliseconds; one without an answer may be done, so it must be repeatable. */
  async ask(statement: Statement, doing: Doing, patience: number): Promise<Rows> {
    const answer = await this.#insist(statement, patience);
    if (!answer.ok) throw failureOf(answer, doing, this.names);
    return answer.value;
  }

  /** Whether tables of this version are there, with nothing of others that would run; throws StoreFailedError. */
  async hasTables(patience: number, use: "read" | "write" = "read"): Promise<boolean> {
    if (this.#isKnown[use]) return true;
    const tables = await this.ask(this.table.shape(), "read", patience);
    const refusal = refuseForeign(tables, this.names, use === "write");
    if (refusal) throw refusal;
    const answer = await this.#insist(this.table.format(), patience);
    if (!answer.ok) {
      // What has some of the tables is no empty place: only all of them tell that nothing was applied.
      if (isAbsence(answer) && tables.length === 0) return false;
      throw failureOf(answer, "read", this.names);
    }
    this.#check(answer.value);
    this.#isKnown = { read: true, write: this.#isKnown.write || use === "write" };
    return true;
  }

  /** Makes missing tables; throws StoreFailedError with the SQL for who may make them. */
  async makeTables(patience: number): Promise<void> {
    const { schema } = this.names;
    for (let attempt = 1; !(await this.hasTables(patience, "write")); attempt++) {
      const found = await this.ask(
        {
          text: "select pg_catalog.to_regnamespace($1::pg_catalog.text) is not null as is_there, pg_catalog.current_setting('server_encoding') as encoding",
          values: [quoted(schema)],
        },
        "read",
        patience,
      );
      this.#checkEncoding(found);
      const isThere = found[0]?.["is_there"] === "t";
      const sql = (isThere ? "" : schemaSql(schema)) + tablesSql(schema);
      const answer = await this.#insist({ text: sql }, patience);
      if (answer.ok) continue;
      // Who else makes them at the same time has made them by the next look.
      const isOfAnother = answer.isSqlState && /^(23505|42P06|42P07)$/.test(answer.code);
      if (isOfAnother && attempt < 5) continue;
      if (answer.isSqlState && answer.code === "42501") throw this.#notAllowed(isThere);
      throw failureOf(answer, "written", this.names);
    }
  }

  /** Gives the last fault once it does not pass, or the time is over. */
  async #insist(statement: Statement, milliseconds: number): Promise<Tried<Rows, FaultChance>> {
    return await patiently({ milliseconds }, async (): Promise<Tried<Rows, FaultChance>> => {
      const answer = await this.line.query(statement);
      return answer.ok ? answer : { ...answer, isPassing: isPassing(answer) };
    });
  }

  close(): void {
    this.line.close();
  }

  #check(rows: Rows): void {
    const { name } = this.names;
    const [format] = rows.map((row) => row["format"] ?? "");
    if (format !== tablesFormat) {
      const [, version] = /^agentform\/postgres-state\/(v\d{1,6})$/.exec(format ?? "") ?? [];
      throw version === undefined
        ? new StoreFailedError(
            say`${bare({ lock: name })} has tables of another program`,
            "choose a different `schema` in `spec.lock`",
          )
        : new StoreFailedError(
            say`${bare({ lock: name })} has tables of the version ${bare({ found: version })}, which this agentform does not know`,
            "use a newer agentform",
          );
    }
    this.#checkEncoding(rows);
  }

  #checkEncoding(rows: Rows): void {
    if (rows[0]?.["encoding"] === "UTF8") return;
    const hint = "make a database with `create database … encoding 'UTF8' template template0`";
    throw new StoreFailedError(say`${bare({ lock: this.names.name })} does not have the encoding UTF8`, hint);
  }

  #notAllowed(hasSchema: boolean): StoreFailedError {
    const { name, schema, user } = this.names;
    const [at, role] = [quoted(schema), shownRole(user)];
    const sql = hasSchema
      ? `grant usage, create on schema ${at} to ${role};`
      : `create schema ${at} authorization ${role};`;
    return new StoreFailedError(
      say`${bare({ lock: name })} has no tables for the state yet, and the user is not allowed to make them`,
      `as an owner of the database: \`${sql}\`, then apply again; or make the tables with the SQL in docs/reference/postgres-store.md`,
    );
  }
}

function isAbsence({ isSqlState, code }: PostgresFault): boolean {
  return isSqlState && (code === "42P01" || code === "3F000");
}

/** What a table must not be: one that could run others' code with the rights of who uses it, or one that is not kept. */
interface Foreign {
  readonly isFound: (table: Row) => boolean;
  /** Whether it matters to who writes alone. */
  readonly isOfWriters?: boolean;
  readonly what: string;
  /** What comes of it, if not that code of others could run. */
  readonly effect?: string;
  readonly mend: (table: string) => string;
}

const foreign: readonly Foreign[] = [
  {
    isFound: (table) => table["is_table"] !== "t",
    what: "is no plain table",
    mend: (table) => `look at who has made ${table}, remove it, and apply again`,
  },
  {
    isFound: (table) => table["has_rule"] !== "f",
    what: "has a rule",
    mend: (table) => `remove it: \`drop rule … on ${table};\``,
  },
  {
    isFound: (table) => table["has_security"] !== "f",
    what: "has row security",
    mend: (table) => `remove it: \`alter table ${table} disable row level security;\``,
  },
  {
    isFound: (table) => table["has_child"] !== "f",
    what: "has a table that inherits from it",
    mend: (table) => `look at who has made that, then \`alter table … no inherit ${table};\``,
  },
  {
    isFound: (table) => table["has_type"] !== "f",
    what: "has a column of another type than those of agentform",
    mend: (table) =>
      `look at who has made ${table}, and give its columns the types that docs/reference/postgres-store.md has`,
  },
  {
    isFound: (table) => table["has_expression"] !== "f",
    isOfWriters: true,
    what: "has a default, a check or an index that computes something",
    mend: (table) =>
      `look at who has made it in ${table}, and remove it with \`alter table\` or \`drop index\``,
  },
  {
    isFound: (table) => table["has_trigger"] !== "f",
    isOfWriters: true,
    what: "has a trigger",
    mend: (table) => `remove it: \`drop trigger … on ${table};\`, and see who has the right to make one`,
  },
  {
    isFound: (table) => table["is_durable"] !== "t",
    isOfWriters: true,
    what: "is unlogged",
    effect: "a crash of the server would empty it",
    mend: (table) => `as its owner: \`alter table ${table} set logged;\``,
  },
  {
    isFound: (table) => table["is_ours"] !== "t",
    isOfWriters: true,
    what: "was made by another role than this one and the owner of the schema",
    mend: (table) =>
      `look at who has made it; if that is right, as a superuser: \`alter table ${table} owner to\` the owner of the schema`,
  },
];

const codeOfOthers = "code of others could run with the rights of this user";

function refuseForeign(
  tables: Rows,
  { name, schema }: DatabaseNames,
  isToWrite: boolean,
): StoreFailedError | undefined {
  for (const table of tables) {
    const found = foreign.find(
      ({ isFound, isOfWriters = false }) => (isToWrite || !isOfWriters) && isFound(table),
    );
    if (!found) continue;
    const at = `${quoted(schema)}.${quoted(table["name"] ?? "")}`;
    const message: Sentence = say`${bare({ lock: name })} cannot be used: ${bare({ found: at })} ${found.what}, so ${found.effect ?? codeOfOthers}`;
    return new StoreFailedError(message, found.mend(at));
  }
  return undefined;
}
