import type { Statement } from "./postgres-line.js";
import { quoted } from "./tables.js";

/** The place of an environment's rows. */
export interface StateKey {
  readonly schema: string;
  readonly workspace: string;
  /** Empty for the default environment. */
  readonly environment: string;
}

// A server may be set to forget what it has committed; for these transactions it is not.
const durable = `durable as (
  select set_config('synchronous_commit', case current_setting('synchronous_commit')
    when 'off' then 'on' else current_setting('synchronous_commit') end, true)
)`;

const ofKey = "workspace = $1 and environment = $2";

/**
 * The statements on an environment's rows. Each is a transaction of its own, and each that changes anything first
 * changes the row in `states`, which it finds only if it still has the expected holder. So they come one after the
 * other, and what a process has written before another took its place is there for that one to read.
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
    return this.#on(`select format, current_setting('server_encoding') as encoding from ${this.#at}.format`);
  }

  /** Holder, lock and journal as of one moment, and the highest serial that was ever written; a row in any case. */
  read(): Statement {
    return this.#on(
      `select s.nonce, s.holder, ${iso("s.seen")} as seen, s.digest, l.lock, l.serial, (
  select string_agg(record, '' order by j.number) from ${this.#at}.journal j
  where j.workspace = s.workspace and j.environment = s.environment
) as journal, (select max(serial) from ${this.#at}.locks where ${ofKey}) as newest
from (select $1::text as workspace, $2::text as environment) k
left join ${this.#at}.states s on s.workspace = k.workspace and s.environment = k.environment
left join ${this.#at}.locks l on l.workspace = s.workspace and l.environment = s.environment and l.number = s.number`,
      this.#key,
    );
  }

  /** Who holds it, and how much was written. */
  look(): Statement {
    return this.#on(
      `select nonce, holder, ${iso("seen")} as seen, digest, number, records from ${this.#at}.states where ${ofKey}`,
      this.#key,
    );
  }

  /** Takes it, if nobody has it or who is expected to. */
  take(nonce: string, holder: string, from: string | null): Statement {
    return this.#on(
      `with ${durable}
insert into ${this.#at}.states as s (workspace, environment, nonce, holder)
select $1, $2, $3, $4 from durable
on conflict (workspace, environment) do update
set nonce = excluded.nonce, holder = excluded.holder, seen = null
where s.nonce is null or s.nonce = $5
returning number, records`,
      [...this.#key, nonce, holder, from],
    );
  }

  /** Adds records to the journal after a lock, which has so many. */
  append({ nonce, number }: Holding, from: number, records: readonly string[]): Statement {
    return this.#on(
      `with ${durable}, held as (
  update ${this.#at}.states set seen = now(), records = records + $5::bigint from durable
  where ${ofKey} and nonce = $3 and records = $4::bigint and number = $7::bigint returning 1
), added as (
  insert into ${this.#at}.journal (workspace, environment, number, record)
  select $1, $2, $4::bigint + ordinality, record from held, unnest($6::text[]) with ordinality as given (record, ordinality)
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
  update ${this.#at}.states set seen = now(), digest = $4, records = 0, number = 1 + greatest(number, (
    select max(number) from ${this.#at}.locks where ${ofKey}
  )) from durable
  where ${ofKey} and nonce = $3 and digest is not distinct from $5
    and number = $9::bigint returning number
), accounted as (
  delete from ${this.#at}.journal where ${ofKey} and exists (select from held)
), added as (
  insert into ${this.#at}.locks (workspace, environment, number, serial, at, who, lock)
  select $1, $2, number, $6::bigint, now(), session_user || ' on ' || $7, $8 from held
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
where ${ofKey} and nonce = $3 returning 1`,
      [...this.#key, nonce],
    );
  }

  /** The versions of the lock, the newest first. */
  versions(): Statement {
    return this.#on(
      `select serial, ${iso("at")} as at, who from ${this.#at}.locks where ${ofKey} and serial is not null
order by number desc`,
      this.#key,
    );
  }

  /** The newest lock with a serial. */
  version(serial: number): Statement {
    return this.#on(
      `select lock from ${this.#at}.locks where ${ofKey} and serial = $3::bigint order by number desc limit 1`,
      [...this.#key, serial],
    );
  }

  get #at(): string {
    return quoted(this.key.schema);
  }

  #on(text: string, values?: Statement["values"]): Statement {
    return { text, ...(values && { values }) };
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
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
