import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { StoreFailedError, type LockStore } from "../../src/core/state/lock-store.js";
import type { Settings } from "../../src/core/resources/manifest.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { openPostgresStore } from "../../src/store/postgres/open-postgres-store.js";
import { tablesSql } from "../../src/store/postgres/tables.js";
import { Lines } from "./git-records.js";
import { makePostgresMedium, usePostgres, type PostgresMedium } from "./postgres-medium.js";

/** Sends bytes for as long as somebody takes them. */
function flood(socket: Socket, bytes: Buffer, told: (length: number) => void): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(bytes)) told(bytes.length);
    told(bytes.length);
  };
  socket.on("drain", more);
  more();
}

usePostgres();

/** A whole apply of one create, as it uses a store, and all that is read of it. */
async function applyOn(store: LockStore): Promise<void> {
  await store.acquire();
  const { version } = await store.read();
  const lines = new Lines();
  store.append(lines.header() + lines.begin(1, "agent:a"));
  await store.flush();
  store.append(lines.done(1, "id-a"));
  await store.flush();
  await store.replace('{"serial": 1}\n', version);
  await store.release();
  await store.history?.versions();
  await store.history?.at(1);
  await store.unlock("nobody");
}

/** The store as a role sees it that may connect, and make a schema. */
async function asDeployer(medium: PostgresMedium): Promise<{ role: string; store: LockStore }> {
  const role = `${medium.schema}_deploy`;
  await medium.run(`create role ${role} login password 'x'; grant create on database postgres to ${role}`);
  const env = { ...medium.env, PGUSER: role, PGPASSWORD: "x" };
  return { role, store: medium.open({ secrets: environmentSecrets(env) }) };
}

async function failureOf(promise: Promise<unknown>): Promise<StoreFailedError> {
  const thrown = await promise.catch((cause: unknown) => cause);
  if (!(thrown instanceof StoreFailedError)) throw new Error(`not refused: ${String(thrown)}`);
  return thrown;
}

describe("what another role has put into the database", () => {
  // Of each, the form for exact types and those that a literal could be taken for.
  const operators = [
    ["=", "pg_catalog.text", "pg_catalog.text"],
    ["=", "pg_catalog.int8", "pg_catalog.int8"],
    ["=", "pg_catalog.name", "pg_catalog.name"],
    ["=", "pg_catalog.name", "pg_catalog.text"],
    ["=", "pg_catalog.oid", "pg_catalog.oid"],
    ["=", '"char"', '"char"'],
  ];
  const joined = ["text", "name"].flatMap((left) => [
    [`pg_catalog.${left}`, "pg_catalog.text"],
    [`pg_catalog.${left}`, "pg_catalog.varchar"],
  ]);
  const functions = [
    ["now()", "pg_catalog.timestamptz", "pg_catalog.now()"],
    ["current_setting(pg_catalog.text)", "pg_catalog.text", "pg_catalog.current_setting($1)"],
    ["set_config(pg_catalog.text, pg_catalog.text, bool)", "pg_catalog.text", "$2"],
    ["to_char(pg_catalog.timestamp, pg_catalog.text)", "pg_catalog.text", "pg_catalog.to_char($1, $2)"],
    ["to_regnamespace(pg_catalog.text)", "pg_catalog.regnamespace", "pg_catalog.to_regnamespace($1)"],
    [
      "timezone(pg_catalog.text, pg_catalog.timestamptz)",
      "pg_catalog.timestamp",
      "pg_catalog.timezone($1, $2)",
    ],
  ];

  test("is not called, wherever the search path has it", async () => {
    const medium = await makePostgresMedium();
    const { role, store } = await asDeployer(medium);
    const evil = `${medium.schema}_evil`;
    const shadow = (name: string, type: string, value: string) =>
      `create function ${evil}.${name} returns ${type} language plpgsql as
       $f$ begin insert into ${evil}.called values ('${name}'); return ${value}; end $f$;`;
    await medium.run(`create schema ${evil}; create table ${evil}.called (what pg_catalog.text);
      grant usage on schema ${evil} to public; grant all on ${evil}.called to public;
      ${functions.map(([name = "", type = "", value = ""]) => shadow(name, type, value)).join("\n")}
      ${operators
        .map(([sign, left, right], index) => {
          const name = `same${index}(${left}, ${right})`;
          return `${shadow(name, "bool", `$1 operator(pg_catalog.=) $2`)}
            create operator ${evil}.${sign} (function = ${evil}.same${index}, leftarg = ${left}, rightarg = ${right});`;
        })
        .join("\n")}
      ${joined
        .map(([left, right], index) => {
          const name = `join${index}(${left}, ${right})`;
          return `${shadow(name, "pg_catalog.text", `pg_catalog.concat($1, $2)`)}
            create operator ${evil}.|| (function = ${evil}.join${index}, leftarg = ${left}, rightarg = ${right});`;
        })
        .join("\n")}
      ${shadow("checked(pg_catalog.text)", "bool", "true")}
      create domain ${evil}.text as pg_catalog.text check (${evil}.checked(value));
      alter role ${role} set search_path = ${evil}, pg_catalog`);
    await applyOn(store);
    expect(await medium.run(`select distinct what from ${evil}.called`)).toEqual([]);
    const [row] = await medium.run("select who from SCHEMA.locks");
    expect(row?.["who"]).toMatch(new RegExp(`^${role} on `));
  });

  const quiet = "language plpgsql as $f$ begin return new; end $f$";
  test.each([
    [
      "a trigger",
      "has a trigger",
      `create function SCHEMA.f() returns trigger ${quiet};
      create trigger t before insert or update on SCHEMA.states for each row execute function SCHEMA.f()`,
    ],
    ["a rule", "has a rule", "create rule r as on update to SCHEMA.states do also select 1"],
    ["row security", "has row security", "alter table SCHEMA.journal enable row level security"],
    [
      "a view",
      "is no plain table",
      "alter table SCHEMA.locks rename to old; create view SCHEMA.locks as select * from SCHEMA.old",
    ],
    [
      "a table that inherits",
      "has a table that inherits from it",
      "create table SCHEMA.more () inherits (SCHEMA.journal)",
    ],
    ["a table that a crash empties", "is unlogged", "alter table SCHEMA.journal set unlogged"],
    [
      "a default that is computed",
      "has a default, a check or an index",
      "alter table SCHEMA.journal alter number set default pg_catalog.random()",
    ],
    [
      "a check",
      "has a default, a check or an index",
      "alter table SCHEMA.states add check (pg_catalog.length(workspace) > 0)",
    ],
    [
      "an index of an expression",
      "has a default, a check or an index",
      "create index on SCHEMA.locks (pg_catalog.lower(who))",
    ],
    [
      "a column of a domain",
      "has a column of another type",
      "create domain SCHEMA.d as pg_catalog.text; alter table SCHEMA.states alter holder type SCHEMA.d",
    ],
    [
      "another owner",
      "was made by another role",
      "create role SCHEMA_other; alter table SCHEMA.states owner to SCHEMA_other",
    ],
  ])("%s is refused before a table is used, with what to do", async (_what, says, sql) => {
    const medium = await makePostgresMedium();
    const { store } = await asDeployer(medium);
    await applyOn(store);
    await medium.run(sql);
    const before = await medium.run("select number, nonce from SCHEMA.states");
    const again = (await asOther(medium)).acquire();
    const failure = await failureOf(again);
    expect(failure.message).toContain(says);
    expect(failure.message).toContain(`"${medium.schema}"."`);
    expect(failure.hint).not.toBe("");
    expect(await medium.run("select number, nonce from SCHEMA.states")).toEqual(before);
  });

  test("tables of the schema's owner and of a superuser are used, and who only reads may be anybody", async () => {
    const medium = await makePostgresMedium();
    const { role, store } = await asDeployer(medium);
    await applyOn(store);
    await medium.run(`create role SCHEMA_reader login password 'x'; grant usage on schema SCHEMA to SCHEMA_reader;
      grant select on all tables in schema SCHEMA to SCHEMA_reader; alter table SCHEMA.locks owner to postgres;
      grant select, insert, update, delete on SCHEMA.locks to ${role}`);
    await (await asOther(medium)).acquire();
    const env = { ...medium.env, PGUSER: `${medium.schema}_reader`, PGPASSWORD: "x" };
    expect((await medium.open({ secrets: environmentSecrets(env) }).read()).lock).not.toBeNull();
  });

  test("tables with a cast of another role are not read", async () => {
    const medium = await makePostgresMedium();
    const { store } = await asDeployer(medium);
    const evil = `${medium.schema}_evil`;
    await medium.run(`create role ${evil} login password 'x'; create schema SCHEMA authorization ${evil};
      set role ${evil}; grant usage on schema SCHEMA to public;
      create table SCHEMA.called (who pg_catalog.text); grant all on SCHEMA.called to public;
      create type SCHEMA.name as (value pg_catalog.text);
      create function SCHEMA.f(SCHEMA.name) returns pg_catalog.text language plpgsql as
        $f$ begin insert into SCHEMA.called values (current_user); return ($1).value; end $f$;
      create cast (SCHEMA.name as pg_catalog.text) with function SCHEMA.f(SCHEMA.name) as implicit;
      ${tablesSql(medium.schema).replaceAll("environment pg_catalog.text", `environment ${medium.schema}.name`)}
      insert into SCHEMA.states (workspace, environment) values ('test', row(''));
      grant all on all tables in schema SCHEMA to public; reset role`);
    const failure = await failureOf(store.read());
    expect(failure.message).toContain("has a column of another type");
    expect(await medium.run("select who from SCHEMA.called")).toEqual([]);
  });

  // The tables are looked at once by each store.
  async function asOther(medium: PostgresMedium): Promise<LockStore> {
    const env = { ...medium.env, PGUSER: `${medium.schema}_deploy`, PGPASSWORD: "x" };
    return medium.open({ secrets: environmentSecrets(env) });
  }
});

describe("a server that does not want to end", () => {
  const message = (type: string, body: Buffer | string): Buffer => {
    const bytes = Buffer.from(body as string);
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes.length + 4);
    return Buffer.concat([Buffer.from(type), length, bytes]);
  };
  const welcome = Buffer.concat([message("R", Buffer.alloc(4)), message("Z", "I")]);

  /** Serves what a hostile server says after the start of a session; counts what it could write. */
  async function startServer(hello: Buffer, say: (socket: Socket) => void) {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      let isStarted = false;
      socket.on("data", () => {
        if (isStarted) return say(socket);
        isStarted = true;
        socket.write(hello);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const env = { PGHOST: "127.0.0.1", PGPORT: String(port), PGUSER: "deploy", PGPASSWORD: "x" };
    const settings = { name: "test", environment: null, lock: { store: "postgres" } } as unknown as Settings;
    return (longest: number) =>
      openPostgresStore(settings, {
        secrets: environmentSecrets(env),
        patience: 0,
        timeout: 10_000,
        longest,
      });
  }

  test("is left after the longest time, whatever it says meanwhile", async () => {
    const open = await startServer(welcome, (socket) => {
      const timer = setInterval(() => socket.write(message("N", "SNOTICE\0Mwait\0\0")), 20);
      socket.on("close", () => clearInterval(timer));
    });
    const failure = await failureOf(open(200).read());
    expect(failure.message).toContain("could not be read");
    expect(failure.message).toMatch(/no answer|time/);
  });

  test.each([
    [
      "many rows",
      () => message("D", Buffer.concat([Buffer.from([0, 1, 0, 16, 0, 0]), Buffer.alloc(1_048_576, "x")])),
    ],
    ["one message", () => Buffer.alloc(1_048_576, "x")],
  ])("is not read on, where it sends %s without an end", async (what, piece) => {
    let written = 0;
    const open = await startServer(welcome, (socket) => {
      if (what === "one message") {
        const head = message("D", "");
        head.writeInt32BE(2_000_000_000, 1);
        socket.write(head);
      } else {
        const column = Buffer.concat([Buffer.from([0, 1]), Buffer.from("x\0"), Buffer.alloc(18)]);
        socket.write(Buffer.concat([message("1", ""), message("2", ""), message("T", column)]));
      }
      flood(socket, piece(), (length) => (written += length));
    });
    const failure = await failureOf(open(600_000).read());
    expect(failure.message).toContain("the answer is longer than any lock may be");
    // What is on the way when the connection is cut is in the buffers of the system.
    expect(written).toBeLessThan(64_000_000);
  });

  const columns = (count: number): Buffer => {
    const one = Buffer.concat([Buffer.from("x\0"), Buffer.alloc(18)]);
    return message("T", Buffer.concat([Buffer.from([count >> 8, count & 255]), ...Array(count).fill(one)]));
  };
  const row = message("D", Buffer.alloc(2));
  test.each([
    ["rows", columns(1), row],
    ["rows of 32,000 columns", columns(32_000), row],
    ["ends of statements", Buffer.alloc(0), message("C", "SELECT 1\0")],
    ["notices", Buffer.alloc(0), message("N", "\0")],
  ])("is not read on, where it sends short %s without an end", async (_what, first, piece) => {
    let written = 0;
    const open = await startServer(welcome, (socket) => {
      socket.write(Buffer.concat([message("1", ""), message("2", ""), first]));
      flood(socket, Buffer.alloc(piece.length * 5000, piece), (length) => (written += length));
    });
    const failure = await failureOf(open(600_000).read());
    expect(failure.message).toContain("the answer is longer than any lock may be");
    expect(written).toBeLessThan(12_000_000);
  });

  test("does not have a password hashed without an end", async () => {
    const mechanisms = Buffer.concat([Buffer.from([0, 0, 0, 10]), Buffer.from("SCRAM-SHA-256\0\0")]);
    const open = await startServer(message("R", mechanisms), (socket) => {
      socket.once("close", () => undefined);
      socket.write(
        message("R", Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from("r=x,s=AAAA,i=2000000000")])),
      );
    });
    const failure = await failureOf(open(600_000).read());
    expect(failure.message).toContain("what answers there is not PostgreSQL");
  });
});
