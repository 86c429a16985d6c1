import type { Settings } from "../../core/resources/manifest.js";
import type { LockStore } from "../../core/state/lock-store.js";
import { environmentSecrets } from "../../service/secret.js";
import { MediumStore, type StoreCare } from "../medium/medium-store.js";
import { attempted, resolveText, type StoreAccess } from "../network/access.js";
import { Database } from "./database.js";
import { nameOf, readAddress } from "./postgres-address.js";
import { PostgresLine } from "./postgres-line.js";
import { PostgresAccess } from "./postgres-access.js";
import { StateTable } from "./state-table.js";

/** How a database is reached, and how long the store waits. */
export interface PostgresStoreAccess extends StoreCare, StoreAccess {
  /** How long a statement of the holder is retried, in milliseconds; a minute unless given. */
  readonly patience?: number;
  /** After so many milliseconds without any sign of the server a statement is given up; 30 seconds unless given. */
  readonly timeout?: number;
  /** After so many milliseconds it is given up whatever the server sends; ten minutes unless given. */
  readonly longest?: number;
}

/** How long a statement of who holds nothing is retried, in milliseconds. */
const shortPatience = 5000;

/** Opens the PostgreSQL store of an environment; nothing is connected, and no variable is needed, before a function is called. */
export function openPostgresStore(settings: Settings, access: PostgresStoreAccess): LockStore {
  const { secrets = environmentSecrets(process.env), caFile, ...care } = access;
  const { patience = 60_000, timeout = 30_000, longest = 600_000 } = access;
  const { schema = "agentform", url } = settings.lock;
  const { name: workspace, environment } = settings;
  const table = new StateTable({ schema, workspace, environment: environment ?? "" });
  const found = attempted(() => {
    return readAddress(url === undefined ? undefined : resolveText(url, secrets), secrets, caFile);
  });
  const lockName = found.ok ? nameOf(found.value, schema) : "the state";
  const names = { lockName, journalName: `the journal in ${lockName}` };
  const connect = (): PostgresAccess => {
    if (!found.ok) throw found.failure;
    const address = found.value;
    const line = new PostgresLine(address, timeout, longest);
    const database = new Database(line, table, { name: lockName, schema, user: address.user });
    return new PostgresAccess(database, table, names, patience, Math.min(patience, shortPatience));
  };
  return new MediumStore({
    ...care,
    ...names,
    needsClaim: false,
    connect,
    versions: (way) => way.versions(),
    environments: (way) => way.environments(),
  });
}
