import { createServer, type AddressInfo, type Socket } from "node:net";
import { inspect } from "node:util";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  StateLostError,
  StoreChangedError,
  StoreFailedError,
  type LockStore,
} from "../../src/core/state/lock-store.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { readAddress } from "../../src/store/postgres/postgres-address.js";
import { PostgresLine } from "../../src/store/postgres/postgres-line.js";
import { StateTable } from "../../src/store/postgres/state-table.js";
import { certificate, certificateKey } from "../service/certificate.js";
import { sample, wholeTest } from "../harness/tier.js";
import { describeLockStore } from "./conformance.js";
import { Lines } from "./git-records.js";
import { textOf } from "../harness/lock-text.js";
import { makePostgresMedium, usePostgres, type PostgresMedium } from "./postgres-medium.js";

usePostgres({
  settings: { ssl: "on", wal_writer_delay: "10s" },
  files: { "server.crt": certificate, "server.key": certificateKey },
});

describeLockStore("the PostgreSQL store", async () => {
  const medium = await makePostgresMedium();
  return { store: medium.open(), second: medium.open() };
});

async function failureOf(promise: Promise<unknown>): Promise<StoreFailedError> {
  const thrown = await promise.catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(StoreFailedError);
  return thrown as StoreFailedError;
}

/** A whole apply of a create, as it uses a store. */
async function applyOn(store: LockStore, lock = "{}\n"): Promise<void> {
  await store.acquire();
  const { version } = await store.read();
  const lines = new Lines();
  store.append(lines.header());
  await store.flush();
  store.append(lines.begin(1, "agent:a") + lines.done(1, "id-a"));
  await store.flush();
  await store.replace(lock, version);
  await store.release();
}

const withEnv = (medium: PostgresMedium, more: Record<string, string>) => ({
  secrets: environmentSecrets({ ...medium.env, ...more }),
});

describe("the journal", () => {
  test("of records that wait is one commit", async () => {
    const medium = await makePostgresMedium();
    const store = medium.open();
    await store.acquire();
    const { network } = medium.proxy;
    network.mend();
    await Promise.all(
      Array.from({ length: 100 }, async (_, number) => {
        store.append(`line ${number}\n`);
        await store.flush();
      }),
    );
    expect(network.requests).toBeLessThanOrEqual(2);
    expect(textOf((await store.read()).journal).split("\n")).toHaveLength(101);
  });

  test("is kept by a server that is set to forget what it has committed", async () => {
    const medium = await makePostgresMedium();
    await medium.run("create role SCHEMA login superuser password 'x'");
    await medium.run("alter role SCHEMA set synchronous_commit = off");
    const store = medium.open(withEnv(medium, { PGUSER: medium.schema, PGPASSWORD: "x" }));
    await store.acquire();
    store.append("begin\n");
    await store.flush();
    await medium.server.kill();
    await medium.server.start();
    expect(await medium.open().read()).toMatchObject({ journal: "begin\n", holder: { pid: process.pid } });
  });

  test("that the server has lost, with a standby that was behind, is written again", async () => {
    const medium = await makePostgresMedium();
    const store = medium.open();
    await store.acquire();
    for (const line of ["one\n", "two\n", "three\n"]) {
      store.append(line);
      await store.flush();
    }
    await medium.run("delete from SCHEMA.journal where number > 1; update SCHEMA.states set records = 1");
    store.append("four\n");
    await store.flush();
    expect((await store.read()).journal).toBe("one\ntwo\nthree\nfour\n");
    await medium.run("delete from SCHEMA.journal where number > 3; update SCHEMA.states set records = 3");
    await store.confirm(true);
    expect((await store.read()).journal).toBe("one\ntwo\nthree\nfour\n");
  });

  test.each([
    ["the holder", "update SCHEMA.states set nonce = null, holder = null, records = 0"],
    ["the whole row", "delete from SCHEMA.states"],
  ])("that the server has lost with %s is written again, by the holder that it was", async (_, loss) => {
    const medium = await makePostgresMedium();
    const store = medium.open();
    const lose = async () => await medium.run(`delete from SCHEMA.journal; ${loss}`);
    await store.acquire();
    store.append("one\n");
    await store.flush();
    await lose();
    store.append("two\n");
    await store.flush();
    expect(await store.read()).toMatchObject({ journal: "one\ntwo\n", holder: { pid: process.pid } });
    await lose();
    await store.confirm(true);
    expect(await store.read()).toMatchObject({ journal: "one\ntwo\n", holder: { pid: process.pid } });
    await lose();
    await store.replace("{}\n", null);
    await store.release();
    expect(await store.read()).toMatchObject({ lock: "{}\n", journal: null, holder: null });
  });

  test("that the server has lost with its holder is replaced by a lock, unless another has taken it", async () => {
    const medium = await makePostgresMedium();
    const [store, other] = [medium.open(), medium.open()];
    const lose = async () => {
      await medium.run("delete from SCHEMA.journal");
      await medium.run("update SCHEMA.states set nonce = null, holder = null, records = 0");
    };
    await store.acquire();
    store.append("one\n");
    await store.flush();
    await lose();
    await store.replace("{}\n", null);
    expect(await other.read()).toMatchObject({ lock: "{}\n", holder: { pid: process.pid } });
    store.append("two\n");
    await store.flush();
    await lose();
    await other.acquire();
    store.append("three\n");
    await expect(store.flush()).rejects.toThrow(StateLostError);
    await other.release();
    await medium.run("delete from SCHEMA.locks");
    await medium.run("update SCHEMA.states set number = 0, digest = null");
    await other.acquire();
    await other.replace("{ }\n", null);
    await other.release();
    await expect(store.confirm(true)).rejects.toThrow(StoreChangedError);
    expect(await other.read()).toMatchObject({ lock: "{ }\n", journal: null, holder: null });
  });

  test("that the server has lost after any lock is written again, unless another has written the same lock", async () => {
    const medium = await makePostgresMedium();
    const [first, store, other] = [medium.open(), medium.open(), medium.open()];
    const lose = async () => {
      await medium.run("delete from SCHEMA.journal");
      await medium.run("update SCHEMA.states set nonce = null, holder = null, records = 0");
    };
    const writeAgain = async () => {
      store.append("one\n");
      await store.flush();
      await lose();
      store.append("two\n");
      await store.flush();
      expect((await other.read()).journal).toBe("one\ntwo\n");
    };
    await first.acquire();
    const version = await first.replace("{}\n", null);
    await first.release();
    await store.acquire();
    await writeAgain();
    const next = await store.replace("{ }\n", version);
    await writeAgain();
    await lose();
    await other.acquire();
    await other.replace("{ }\n", next);
    await other.release();
    await expect(store.confirm(true)).rejects.toThrow(StoreChangedError);
    expect(await other.read()).toMatchObject({ journal: null, holder: null });
  });

  test("is not gone on with if the server has lost the lock before it", async () => {
    const medium = await makePostgresMedium();
    const store = medium.open();
    await store.acquire();
    store.append("one\n");
    await store.flush();
    await store.replace("{}\n", null);
    await medium.run("update SCHEMA.states set number = 0, digest = null, records = 1");
    store.append("two\n");
    await expect(store.flush()).rejects.toThrow(StateLostError);
    await store.release();
  });

  test("gets nothing from a statement that the server does only when its time is over", async () => {
    const medium = await makePostgresMedium();
    const store = medium.open();
    await store.acquire();
    store.append("one\n");
    await store.flush();
    const tenure = { nonce: (await store.read()).holder?.nonce ?? "", number: 0 };
    const digest = await store.replace("{}\n", null);
    store.append("two\n");
    await store.flush();
    const table = new StateTable({ schema: medium.schema, workspace: "test", environment: "" });
    const written = { lock: "{}\n", digest, serial: 1, host: "here" };
    const line = new PostgresLine(
      readAddress(undefined, environmentSecrets(medium.env), undefined),
      10_000,
      60_000,
    );
    onTestFinished(() => line.close());
    for (const late of [
      table.append(tenure, 0, ["one\n"]),
      table.append(tenure, 1, ["one\n"]),
      table.replace(tenure, written, null),
      table.replace(tenure, written, digest),
    ]) {
      expect(await line.query(late)).toEqual({ ok: true, value: [] });
    }
    expect(await store.read()).toMatchObject({ lock: "{}\n", journal: "two\n" });
  });

  test("renews the sign of life of its holder", async () => {
    const medium = await makePostgresMedium();
    const store = medium.open();
    await store.acquire();
    await medium.run("update SCHEMA.states set seen = '2020-01-01T00:00:00Z'");
    expect((await store.read()).holder?.seen).toBe("2020-01-01T00:00:00.000Z");
    store.append("one\n");
    await store.flush();
    expect(Date.parse((await store.read()).holder?.seen ?? "")).toBeGreaterThan(Date.parse("2020-01-02"));
  });

  test("that could not be committed in time ends the apply, and is committed with the release if that succeeds", async () => {
    const medium = await makePostgresMedium();
    const store = medium.open();
    await store.acquire();
    const lines = new Lines();
    const start = lines.header() + lines.begin(1, "agent:a");
    store.append(start);
    await store.flush();
    const { network } = medium.proxy;
    network.mend();
    network.cut(1, "before", true);
    const done = lines.done(1, "id-a");
    store.append(done);
    const failure = await failureOf(store.flush());
    expect(failure.message).toContain("the connection was closed before an answer");
    await expect(store.flush()).rejects.toBe(failure);
    network.mend();
    await store.release();
    expect(await medium.open().read()).toMatchObject({ journal: start + done, holder: null });
  });
});

describe("a lock", () => {
  test("is kept in every version, with who wrote it and when", async () => {
    const medium = await makePostgresMedium();
    const store = medium.open();
    expect(await store.history?.versions()).toEqual([]);
    const lockAt = (serial: number) => `{"serial": ${serial}}\n`;
    for (const serial of [1, 2, 7]) {
      await store.acquire();
      await store.replace(lockAt(serial), (await store.read()).version);
      await store.release();
    }
    const versions = (await medium.open().history?.versions()) ?? [];
    expect(versions.map(({ serial }) => serial)).toEqual([7, 2, 1]);
    expect(versions[0]?.who).toMatch(/^postgres on ./);
    expect(Date.parse(versions[0]?.at ?? "")).toBeGreaterThan(Date.now() - 600_000);
    expect(await store.history?.at(2)).toEqual({ text: lockAt(2) });
    expect(await store.history?.at(3)).toBeNull();
    await medium.run(
      "insert into SCHEMA.locks select workspace, environment, 9, 2, at, who, 'nothing' from SCHEMA.locks where serial = 2",
    );
    const found = await store.history?.find((text) => text === lockAt(2));
    expect(found).toEqual({ serial: 2, text: lockAt(2) });
  });

  wholeTest("of 30 MB is written and read", async () => {
    const medium = await makePostgresMedium();
    const store = medium.open();
    const text = `{"serial": 1, "text": "${"zwölf ".repeat(5_000_000)}"}\n`;
    await applyOn(store, text);
    expect((await store.read()).lock === text).toBe(true);
  });

  test("of a different workspace or environment in the same schema is not touched", async () => {
    const medium = await makePostgresMedium();
    await applyOn(medium.open({}, medium.lock, "other"), "theirs\n");
    const store = medium.open();
    expect(await store.read()).toMatchObject({ lock: null, holder: null });
    await applyOn(store, "mine\n");
    expect((await medium.open({}, medium.lock, "other").read()).lock).toBe("theirs\n");
  });

  test("that was changed by hand is refused", async () => {
    const medium = await makePostgresMedium();
    const store = medium.open();
    await applyOn(store);
    await medium.run("update SCHEMA.locks set lock = '{\"serial\": 9}'");
    const failure = await failureOf(store.read());
    expect(failure.message).toContain("is not as agentform wrote it");
    await medium.run("delete from SCHEMA.locks");
    await failureOf(store.read());
  });
});

describe("a holder", () => {
  test("whose number cannot be told from the one beside it ends the first commit", async () => {
    const medium = await makePostgresMedium();
    await applyOn(medium.open());
    const number = "9007199254740993";
    await medium.run(
      `update SCHEMA.states set number = ${number}; update SCHEMA.locks set number = ${number}`,
    );
    const store = medium.open();
    await store.acquire();
    store.append(new Lines().header());
    await expect(store.flush()).rejects.toThrow(StoreChangedError);
    await store.release();
    expect(await store.read()).toMatchObject({ lock: "{}\n", journal: null, holder: null });
  });

  test("that was unlocked between two records commits nothing, whatever waits", async () => {
    const medium = await makePostgresMedium();
    const [store, other] = [medium.open(), medium.open()];
    await store.acquire();
    store.append("one\n");
    await store.flush();
    expect(await other.unlock("0123456789abcdef")).toBe(false);
    expect(await other.unlock((await other.read()).holder?.nonce ?? "")).toBe(true);
    store.append("two\n");
    await expect(store.flush()).rejects.toThrow(StoreChangedError);
    await store.release();
    expect(await other.read()).toMatchObject({ journal: "one\n", holder: null });
  });

  test("that was unlocked before the first record after a lock does not take it again", async () => {
    const medium = await makePostgresMedium();
    const [store, other] = [medium.open(), medium.open()];
    await store.acquire();
    store.append("one\n");
    await store.flush();
    await store.replace("{}\n", null);
    expect(await other.unlock((await other.read()).holder?.nonce ?? "")).toBe(true);
    await expect(store.confirm(true)).rejects.toThrow(StoreChangedError);
    store.append("two\n");
    await expect(store.flush()).rejects.toThrow(StoreChangedError);
    expect(await other.read()).toMatchObject({ journal: null, holder: null });
  });

  test("is not given an old state that a pooler reads from a standby", async () => {
    const medium = await makePostgresMedium();
    const store = medium.open();
    await store.acquire();
    const version = await store.replace("{}\n", null);
    await store.release();
    await store.acquire();
    // To a connection this is what a standby shows that lacks the last commits.
    await medium.run("alter table SCHEMA.states rename to newest");
    await medium.run(
      "create table SCHEMA.states as select workspace, environment, null::text nonce, null::text holder, seen, 0::bigint number, null::text digest, records from SCHEMA.newest",
    );
    await expect(store.read()).rejects.toThrow(StoreChangedError);
    await medium.run("drop table SCHEMA.states");
    await medium.run("alter table SCHEMA.newest rename to states");
    expect(await store.read()).toMatchObject({ version, lock: "{}\n" });
  });

  test("whose record cannot be read can be unlocked", async () => {
    const medium = await makePostgresMedium();
    const store = medium.open();
    await medium.open().acquire();
    await medium.run("update SCHEMA.states set holder = 'x', nonce = 'y'");
    const { holder } = await store.read();
    expect(holder?.nonce).toMatch(/^unreadable-/);
    expect(await store.unlock(holder?.nonce ?? "")).toBe(true);
    expect((await store.read()).holder).toBeNull();
  });

  test("waits for a server that is restarted", async () => {
    const medium = await makePostgresMedium();
    const store = medium.open({ patience: 60_000 });
    await store.acquire();
    await medium.server.kill();
    store.append("one\n");
    const flushed = store.flush();
    await medium.server.start();
    await flushed;
    await store.replace("{}\n", null);
    await store.release();
    expect(await store.read()).toMatchObject({ lock: "{}\n", journal: null, holder: null });
  });

  test("waits for a server that can only be read, as a failover leaves it for a while, in sessions of their own", async () => {
    const medium = await makePostgresMedium();
    await medium.run("create role SCHEMA login superuser password 'x'");
    const role = withEnv(medium, { PGUSER: medium.schema, PGPASSWORD: "x" });
    const store = medium.open({ ...role, patience: 60_000 });
    await store.acquire();
    await medium.run("alter role SCHEMA set default_transaction_read_only = on");
    await medium.run("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'SCHEMA'");
    const refusals = (): number => medium.server.log().split("in a read-only transaction").length;
    const before = refusals();
    store.append("one\n");
    const flushed = store.flush();
    // Who is refused for good has ended by now.
    await Promise.race([flushed, vi.waitUntil(() => refusals() > before, { timeout: 60_000 })]);
    await medium.run("alter role SCHEMA reset default_transaction_read_only");
    await flushed;
    await store.replace("{}\n", null);
    await store.release();
    expect(await store.read()).toMatchObject({ lock: "{}\n", journal: null, holder: null });
  });

  test("in a database that makes all transactions serializable works as in any other", async () => {
    const medium = await makePostgresMedium();
    const options = { PGOPTIONS: "-c default_transaction_isolation=serializable" };
    const [store, other] = [medium.open(withEnv(medium, options)), medium.open(withEnv(medium, options))];
    await applyOn(store);
    await store.acquire();
    store.append("one\n");
    await store.flush();
    expect(await other.unlock((await other.read()).holder?.nonce ?? "")).toBe(true);
    store.append("two\n");
    await expect(store.flush()).rejects.toThrow(StoreChangedError);
  });
});

describe("the tables", () => {
  test("are made by one of many who need them at the same time, and not by a reader", async () => {
    const medium = await makePostgresMedium();
    expect((await medium.open().read()).lock).toBeNull();
    const schemas = "select 1 from pg_namespace where nspname = 'SCHEMA'";
    expect(await medium.run(schemas)).toEqual([]);
    const stores = Array.from({ length: 8 }, (_, number) =>
      medium.open({ patience: 60_000 }, medium.lock, `w${number}`),
    );
    await Promise.all(stores.map((store) => applyOn(store)));
    expect(await medium.run("select count(*) as n from SCHEMA.format")).toEqual([{ n: "1" }]);
  });

  /** A role that may do nothing but connect, and the store as it sees it. */
  async function asRole(medium: PostgresMedium): Promise<{ role: string; store: LockStore }> {
    await medium.run("create role SCHEMA login password 'x'");
    const role = medium.schema;
    return { role, store: medium.open(withEnv(medium, { PGUSER: role, PGPASSWORD: "x" })) };
  }

  test("that a role may not make are told as SQL, which helps", async () => {
    const medium = await makePostgresMedium();
    const { store } = await asRole(medium);
    const failure = await failureOf(store.acquire());
    expect(failure.message).toContain("has no tables for the state yet");
    const [, sql = ""] = /`(create schema [^`]*)`/.exec(failure.hint ?? "") ?? [];
    await medium.run(sql);
    await applyOn(store);
  });

  test("in a schema that a role may not write are told as SQL, which helps", async () => {
    const medium = await makePostgresMedium();
    const { role, store } = await asRole(medium);
    await medium.run("create schema SCHEMA");
    // Nobody can tell such a schema from one with tables.
    expect((await failureOf(store.read())).message).toContain("not allowed to (SQLSTATE 42501)");
    await medium.run(`grant usage on schema SCHEMA to ${role}`);
    const failure = await failureOf(store.acquire());
    const [, sql = ""] = /`(grant [^`]*)`/.exec(failure.hint ?? "") ?? [];
    expect(sql).toContain("create on schema");
    await medium.run(sql);
    await applyOn(store);
  });

  test("that a role may not use are told as SQL, which helps; to plan, reading is enough", async () => {
    const medium = await makePostgresMedium();
    await applyOn(medium.open());
    const { role, store } = await asRole(medium);
    const failure = await failureOf(store.read());
    expect(failure.message).toContain("the user is not allowed to (SQLSTATE 42501)");
    await medium.run(
      `grant usage on schema SCHEMA to ${role}; grant select on all tables in schema SCHEMA to ${role}`,
    );
    expect((await store.read()).lock).toBe("{}\n");
    await failureOf(store.acquire());
    const [, sql = ""] = /`(grant [^`]*)`/.exec(failure.hint ?? "") ?? [];
    await medium.run(sql);
    await applyOn(store);
  });

  const formats: readonly [string, string, string][] = [
    [
      "a newer format",
      "update SCHEMA.format set format = 'agentform/postgres-state/v2'",
      "of the version v2",
    ],
    ["another program's", "update SCHEMA.format set format = 'x'", "tables of another program"],
    ["another program's names", "alter table SCHEMA.format rename format to f", "tables of another program"],
    ["a table missing", "drop table SCHEMA.states", "are not those of agentform"],
    ["the table of the format missing", "drop table SCHEMA.format", "are not those of agentform"],
  ];
  test.each(sample("formats of the tables", formats, 1))(
    "with %s are refused and left as they are",
    async (_what, sql, says) => {
      const medium = await makePostgresMedium();
      await applyOn(medium.open());
      await medium.run(sql);
      for (const store of [medium.open(), medium.open()]) {
        expect((await failureOf(store.read())).message).toContain(says);
        expect((await failureOf(store.acquire())).message).toContain(says);
      }
      expect(await medium.run("select lock from SCHEMA.locks")).toEqual([{ lock: "{}\n" }]);
    },
  );

  test("without a primary key are refused with words", async () => {
    const medium = await makePostgresMedium();
    await applyOn(medium.open());
    await medium.run("alter table SCHEMA.states drop constraint states_pkey cascade");
    const failure = await failureOf(medium.open().acquire());
    expect(failure.message).toContain("its tables are not those of agentform (SQLSTATE 42P10)");
  });

  test("are not made in a database that cannot keep every text", async () => {
    const medium = await makePostgresMedium();
    await medium.run("create database SCHEMA encoding 'LATIN1' template template0");
    const store = medium.open(withEnv(medium, { PGDATABASE: medium.schema }));
    const failure = await failureOf(store.acquire());
    expect(failure.message).toContain("does not have the encoding UTF8");
    expect(
      await medium.server.run(
        "select 1 from pg_namespace where nspname like 't%\\_%' and nspname !~ 'toast|temp'",
        medium.schema,
      ),
    ).toEqual([]);
  });

  wholeTest("in a schema with a name that SQL has for itself are made", async () => {
    const medium = await makePostgresMedium();
    const lock = { store: "postgres", schema: "select" } as const;
    await applyOn(medium.open({}, lock));
    expect((await medium.open({}, lock).read()).lock).toBe("{}\n");
  });

  test("of a server that can only be read are not written", async () => {
    const medium = await makePostgresMedium();
    await applyOn(medium.open());
    const store = medium.open(withEnv(medium, { PGOPTIONS: "-c default_transaction_read_only=on" }));
    expect((await store.read()).lock).toBe("{}\n");
    const failure = await failureOf(store.acquire());
    expect(failure.message).toContain("it can only be read");
    expect(failure.hint).toContain("primary");
  });
});

const canary = "canary-5up3r-s3cret";

/** A server that does with each connection what it is told. */
async function fakeServer(talk: (socket: Socket) => void): Promise<{ port: string; received: () => Buffer }> {
  let received = Buffer.alloc(0);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => (received = Buffer.concat([received, bytes])));
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: String((server.address() as AddressInfo).port), received: () => received };
}

describe("a database that cannot be used", () => {
  const ways: readonly [string, Record<string, string>, string][] = [
    ["a wrong password", { PGPASSWORD: canary }, "does not accept the user name and password"],
    ["no password", { PGPASSWORD: "" }, "it needs a password"],
    ["an unknown user", { PGUSER: "nobody", PGPASSWORD: canary }, "does not accept the user name"],
    ["no such database", { PGDATABASE: "nowhere", PGOPTIONS: "" }, "there is no such database"],
    ["a server that is not there", { PGPORT: "1", PGPASSWORD: canary }, "connection refused"],
    ["a certificate that nobody knows", { PGSSLMODE: "verify-full" }, "TLS failed"],
    ["a folder without a socket", { PGHOST: "/nowhere" }, "could not be read"],
  ];
  test.each(sample("databases that cannot be used", ways, 2))(
    "has %s: the reason is told, with a hint, and nothing is taken for an empty state",
    async (_what, env, says) => {
      const medium = await makePostgresMedium();
      const store = medium.open(withEnv(medium, env));
      for (const run of [() => store.read(), () => store.acquire(), () => store.unlock("1")]) {
        const failure = await failureOf(run());
        expect(failure.message).toContain(says);
        const text = inspect([failure, store], { showHidden: true, depth: 20 }) + JSON.stringify(failure);
        expect(text).not.toContain(canary);
        expect(text).not.toContain(medium.server.password);
      }
    },
  );

  test("has no connection left: it is asked again for a while", async () => {
    const medium = await makePostgresMedium();
    await medium.run("create role SCHEMA login superuser password 'x' connection limit 0");
    const env = withEnv(medium, { PGUSER: medium.schema, PGPASSWORD: "x" });
    await medium.run("alter role SCHEMA nosuperuser");
    expect((await failureOf(medium.open(env).read())).message).toContain("SQLSTATE 53300");
    const read = medium.open({ ...env, patience: 60_000 }).read();
    await medium.run("alter role SCHEMA connection limit -1");
    expect((await read).lock).toBeNull();
  });

  const talks: readonly [string, (socket: Socket) => void, string][] = [
    ["speaks HTTP", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), "closed before an answer"],
    ["speaks first", (socket) => void socket.write("SSH-2.0-OpenSSH_9.2\r\n"), "within 1 s"],
    ["says nothing", () => undefined, "within 1 s"],
    ["hangs up", (socket) => socket.end(), "closed before an answer"],
    [
      "asks to sign in as nobody can",
      (socket) => socket.once("data", () => socket.write(Buffer.from("R\0\0\0\x08\0\0\0\x63", "latin1"))),
      "not PostgreSQL",
    ],
    [
      "asks for Kerberos",
      (socket) => socket.once("data", () => socket.write(Buffer.from("R\0\0\0\x08\0\0\0\x07", "latin1"))),
      "not PostgreSQL",
    ],
    [
      "knows no password that it asks for",
      (socket) =>
        socket
          .once("data", () => socket.write(Buffer.from("R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0", "latin1")))
          .on(
            "data",
            (bytes) => bytes[0] === 0x70 && socket.write(Buffer.from("R\0\0\0\x0c\0\0\0\x0bnope", "latin1")),
          ),
      "did not prove",
    ],
  ];
  test.each(sample("answers of a server that is none", talks, 2))(
    "%s: that is a diagnostic",
    async (_what, talk, says) => {
      const medium = await makePostgresMedium();
      const { port } = await fakeServer(talk);
      const store = medium.open(
        withEnv(medium, { PGPORT: port, PGCONNECT_TIMEOUT: says === "within 1 s" ? "1" : "600" }),
      );
      expect((await failureOf(store.read())).message).toContain(says);
    },
  );

  test("has no TLS where TLS is asked for: neither password nor user is sent", async () => {
    const medium = await makePostgresMedium();
    for (const answer of ["N", "E", "HTTP/1.1 400 Bad Request\r\n\r\n", "SX"]) {
      const { port, received } = await fakeServer((socket) =>
        socket.once("data", () => socket.write(answer)),
      );
      const store = medium.open(withEnv(medium, { PGPORT: port, PGSSLMODE: "require", PGPASSWORD: canary }));
      const { message } = await failureOf(store.read());
      expect(message).toMatch(answer === "N" ? /has no TLS, so the password was not sent/ : /not PostgreSQL/);
      expect(received()).toHaveLength(8);
    }
  });
});

describe("TLS", () => {
  test("is verified against the certificates of PGSSLROOTCERT or --ca-file, and against the host", async () => {
    const medium = await makePostgresMedium();
    const directory = medium.machine("a");
    const file = join(directory, "ca.pem");
    writeFileSync(file, certificate);
    await applyOn(medium.open(withEnv(medium, { PGSSLMODE: "verify-full", PGSSLROOTCERT: file })));
    for (const PGSSLMODE of ["verify-full", "verify-ca", "require"]) {
      const store = medium.open(withEnv(medium, { PGSSLMODE, PGSSLROOTCERT: file }));
      expect((await store.read()).lock).toBe("{}\n");
    }
    const store = medium.open({ ...withEnv(medium, { PGSSLMODE: "verify-full" }), caFile: file });
    expect((await store.read()).lock).toBe("{}\n");
    const failure = await failureOf(medium.open(withEnv(medium, { PGSSLMODE: "require" })).read());
    expect(failure.hint).toContain("PGSSLROOTCERT");
    const none = withEnv(medium, { PGSSLMODE: "require", PGSSLROOTCERT: join(directory, "none.pem") });
    expect((await failureOf(medium.open(none).read())).message).toContain("the file of PGSSLROOTCERT");
  });
});
