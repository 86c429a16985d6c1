import type { Statement } from "./postgres-line.js";
import { quoted, tableNames } from "./tables.js";

/** The place of an environment's rows. */
export interface StateKey {
  readonly schema: string;
  readonly workspace: string;
  /** Empty for the default environment. */
  readonly environment: string;
}

/*
 * Whoever may make a function or an operator in a schema of the search path could have it called here with the rights
 * of who applies. So every function, operator and type is named with its schema; `is distinct from`, `case x when` and
 * `in` look for operators themselves. A setting of the session would not do: a pooler gives each statement another one.
 */
const eq = "operator(pg_catalog.=)";
const plus = "operator(pg_catalog.+)";
const concat = "operator(pg_catalog.||)";
const text = "pg_catalog.text";
const bigint = "pg_catalog.int8";
// No other can have a cast or a check that somebody else has written.
const columnTypes = [text, bigint, "pg_catalog.timestamptz"];
const now = "pg_catalog.now()";

// A server may be set to forget what it has committed; for these transactions it is not.
const durable = `durable as (
  select pg_catalog.set_config('synchronous_commit', case
    when pg_catalog.current_setting('synchronous_commit') ${eq} 'off' then 'on'
    else pg_catalog.current_setting('synchronous_commit') end, true)
)`;

const ofKey = `workspace ${eq} $1::${text} and environment ${eq} $2::${text}`;

/**
 * The statements on an environment's rows. Each changes first its row in `states`, found only under the
 * expected holder, so they come one after the other and who takes over reads all that was written.
 */
export class StateTable {
  readonly #key: readonly [string, string];

  constructor(private readonly key: StateKey) {
    this.#key = [key.workspace, key.environment];
  }

  get environment(): string | null {
    return this.key.environment === "" ? null : this.key.environment;
  }

  /** The format of the tables, and the encoding of the database. */
  format(): Statement {
    return this.#on(
      `select format, pg_catalog.current_setting('server_encoding') as encoding from ${this.#at}.format`,
    );
  }

  /** What is in the place of the tables, whether it is kept, and whether anything else than a table's owner could have put it there. */
  shape(): Statement {
    return this.#on(
      `select c.relname::${text} as name,
  c.relkind ${eq} 'r'::pg_catalog."char" as is_table,
  c.relpersistence ${eq} 'p'::pg_catalog."char" as is_durable,
  c.relrowsecurity as has_security,
  exists (select from pg_catalog.pg_rewrite w where w.ev_class ${eq} c.oid) as has_rule,
  exists (select from pg_catalog.pg_trigger t where t.tgrelid ${eq} c.oid and not t.tgisinternal) as has_trigger,
  exists (select from pg_catalog.pg_inherits i where i.inhparent ${eq} c.oid) as has_child,
  exists (
    select from pg_catalog.pg_attribute a
    where a.attrelid ${eq} c.oid and a.attnum operator(pg_catalog.>) 0::pg_catalog.int2 and not a.attisdropped
      and not (${columnTypes.map((type) => `a.atttypid ${eq} '${type}'::pg_catalog.regtype::pg_catalog.oid`).join(" or ")})
  ) as has_type,
  exists (
    select from pg_catalog.pg_attrdef d
    where d.adrelid ${eq} c.oid and pg_catalog.pg_get_expr(d.adbin, d.adrelid) operator(pg_catalog.!~) '^(0|''0''::bigint)$'::${text}
  ) or exists (
    select from pg_catalog.pg_constraint k
    where k.conrelid ${eq} c.oid and (k.contype ${eq} 'c'::pg_catalog."char" or k.contype ${eq} 'x'::pg_catalog."char")
  ) or exists (
    select from pg_catalog.pg_index x
    where x.indrelid ${eq} c.oid and (x.indexprs is not null or x.indpred is not null)
  ) as has_expression,
  c.relowner ${eq} n.nspowner or o.rolsuper or o.rolname ${eq} current_user as is_ours
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid ${eq} c.relnamespace
join pg_catalog.pg_roles o on o.oid ${eq} c.relowner
where n.nspname ${eq} $1::pg_catalog.name
  and (${tableNames.map((name) => `c.relname ${eq} '${name}'::pg_catalog.name`).join(" or ")})`,
      [this.key.schema],
    );
  }

  /** Holder, lock and journal as of one moment, and the highest serial that was ever written; a row in any case. */
  read(): Statement {
    return this.#on(
      `select s.nonce, s.holder, ${iso("s.seen")} as seen, s.digest, s.records, l.lock, l.serial, (
  select pg_catalog.string_agg(record, '' order by j.number) from ${this.#at}.journal j
  where j.workspace ${eq} s.workspace and j.environment ${eq} s.environment
) as journal, (select pg_catalog.count(*) from ${this.#at}.journal where ${ofKey}) as found, (select pg_catalog.max(serial) from ${this.#at}.locks where ${ofKey}) as newest
from (select $1::${text} as workspace, $2::${text} as environment) k
left join ${this.#at}.states s on s.workspace ${eq} k.workspace and s.environment ${eq} k.environment
left join ${this.#at}.locks l
  on l.workspace ${eq} s.workspace and l.environment ${eq} s.environment and l.number ${eq} s.number`,
      this.#key,
      true,
    );
  }

  /** Who holds it, and how much was written. */
  look(): Statement {
    return this.#on(
      `select nonce, holder, ${iso("seen")} as seen, digest, number, records from ${this.#at}.states where ${ofKey}`,
      this.#key,
    );
  }

  /** The environments of the workspace that have a row. */
  environments(): Statement {
    return this.#on(`select environment from ${this.#at}.states where workspace ${eq} $1::${text}`, [
      this.key.workspace,
    ]);
  }

  /** Takes it, if nobody has it or who is expected to. */
  take(nonce: string, holder: string, from: string | null): Statement {
    return this.#on(
      `with ${durable}
insert into ${this.#at}.states as s (workspace, environment, nonce, holder)
select $1::${text}, $2::${text}, $3::${text}, $4::${text} from durable
on conflict (workspace, environment) do update
set nonce = excluded.nonce, holder = excluded.holder, seen = null
where s.nonce is null or s.nonce ${eq} $5::${text}
returning number, records, digest`,
      [...this.#key, nonce, holder, from],
    );
  }

  /** Adds records to the journal after a lock, which has so many. */
  append({ nonce, number }: Holding, from: number, records: readonly string[]): Statement {
    return this.#on(
      `with ${durable}, held as (
  update ${this.#at}.states set seen = ${now}, records = records ${plus} $5::${bigint} from durable
  where ${ofKey} and nonce ${eq} $3::${text} and records ${eq} $4::${bigint} and number ${eq} $7::${bigint} returning 1
), added as (
  insert into ${this.#at}.journal (workspace, environment, number, record)
  select $1::${text}, $2::${text}, $4::${bigint} ${plus} ordinality, record
  from held, pg_catalog.unnest($6::${text}[]) with ordinality as given (record, ordinality)
)
select 1 from held`,
      [...this.#key, nonce, from, records.length, records, number],
    );
  }

  /** Adds a lock after the one with a digest, and after all that were kept, and removes the journal; gives its number. */
  replace({ nonce, number }: Holding, written: LockRow, from: string | null): Statement {
    const { lock, digest, serial, host } = written;
    return this.#on(
      `with ${durable}, held as (
  update ${this.#at}.states set seen = ${now}, digest = $4, records = 0,
    number = 1::${bigint} ${plus} greatest(number, (select pg_catalog.max(number) from ${this.#at}.locks where ${ofKey}))
  from durable
  where ${ofKey} and nonce ${eq} $3::${text}
    and (digest ${eq} $5::${text} or digest is null and $5::${text} is null)
    and number ${eq} $9::${bigint} returning number
), accounted as (
  delete from ${this.#at}.journal where ${ofKey} and exists (select from held)
), added as (
  insert into ${this.#at}.locks (workspace, environment, number, serial, at, who, lock)
  select $1::${text}, $2::${text}, number, $6::${bigint}, ${now},
    session_user::${text} ${concat} ' on '::${text} ${concat} $7::${text}, $8::${text} from held
)
select number from held`,
      [...this.#key, nonce, digest, from, serial ?? null, host, lock, number],
    );
  }

  /** Takes it from its holder. */
  release(nonce: string): Statement {
    return this.#on(
      `with ${durable}
update ${this.#at}.states set nonce = null, holder = null, seen = null from durable
where ${ofKey} and nonce ${eq} $3::${text} returning 1`,
      [...this.#key, nonce],
    );
  }

  /** The versions of the lock, the newest first. */
  versions(): Statement {
    return this.#on(
      `select number, serial, ${iso("at")} as at, who from ${this.#at}.locks where ${ofKey} and serial is not null
order by number desc`,
      this.#key,
    );
  }

  /** The lock with a number: several may have one serial. */
  version(number: string | null): Statement {
    return this.#on(
      `select lock from ${this.#at}.locks where ${ofKey} and number ${eq} $3::${bigint}`,
      [...this.#key, number],
      true,
    );
  }

  get #at(): string {
    return quoted(this.key.schema);
  }

  #on(text: string, values?: Statement["values"], isLarge = false): Statement {
    return { text, isLarge, ...(values && { values }) };
  }
}

/** What a process that holds a state knows of it. */
export interface Holding {
  readonly nonce: string;
  /** The number of the present lock; 0 for none. */
  readonly number: number;
}

/** A lock as it is written. */
export interface LockRow {
  readonly lock: string;
  /** Its SHA-256 in hexadecimal digits. */
  readonly digest: string;
  /** Undefined for a text that takes the place of a lock. */
  readonly serial: number | undefined;
  readonly host: string;
}

function iso(column: string): string {
  return `pg_catalog.to_char(pg_catalog.timezone('UTC'::${text}, ${column}), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::${text})`;
}
