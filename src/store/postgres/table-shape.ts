import { bare, say, type Sentence } from "../../core/finding/said.js";
import { StoreFailedError } from "../../core/state/lock-store.js";
import type { Row, Rows } from "./postgres-line.js";
import type { DatabaseNames } from "./postgres-refusal.js";
import { quoted } from "./tables.js";

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

/** Gives why tables must not be used as they are. */
export function refuseForeign(
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
