import type { Settings } from "../../core/resources/manifest.js";
import { StoreFailedError, type LockStore } from "../../core/state/lock-store.js";
import { MissingSecretError, renderText } from "../../service/body.js";
import { environmentSecrets, type SecretSource } from "../../service/secret.js";
import { Database } from "./database.js";
import { nameOf, readAddress, type PostgresAddress } from "./postgres-address.js";
import { PostgresLine } from "./postgres-line.js";
import { PostgresStore } from "./postgres-store.js";
import { StateTable } from "./state-table.js";

/** How a database is reached, and how long the store waits. */
export interface PostgresStoreAccess {
  /** The environment variables of the address; those of this process unless given. */
  readonly secrets?: SecretSource;
  /** A file of certificates to trust in addition to the default ones. */
  readonly caFile?: string;
  /** How long a statement of the holder is retried, in milliseconds; a minute unless given. */
  readonly patience?: number;
  /** After so many milliseconds without any sign of the server a statement is given up; 30 seconds unless given. */
  readonly timeout?: number;
}

/** Opens the PostgreSQL store of an environment; nothing is connected, and no variable is needed, before a function is called. */
export function openPostgresStore(settings: Settings, access: PostgresStoreAccess): LockStore {
  const { secrets = environmentSecrets(process.env), caFile, patience, timeout = 30_000 } = access;
  const { schema = "agentform" } = settings.lock;
  const table = new StateTable({
    schema,
    workspace: settings.name,
    environment: settings.environment ?? "",
  });
  const address = addressOf(settings, secrets, caFile);
  const lockName = address instanceof StoreFailedError ? "the state" : nameOf(address, schema);
  const connect = (): Database => {
    if (address instanceof StoreFailedError) throw address;
    const names = { name: lockName, schema, user: address.user };
    return new Database(new PostgresLine(address, timeout), table, names);
  };
  return new PostgresStore({ connect, table, lockName, ...(patience !== undefined && { patience }) });
}

function addressOf(
  { lock: { url } }: Settings,
  secrets: SecretSource,
  caFile: string | undefined,
): PostgresAddress | StoreFailedError {
  try {
    return readAddress(url === undefined ? undefined : renderText(url, secrets), secrets, caFile);
  } catch (cause) {
    if (cause instanceof StoreFailedError) return cause;
    if (!(cause instanceof MissingSecretError)) throw cause;
    const hint =
      "the state cannot be read without it: set it where plan and apply run; a pipeline of a fork does not get it";
    return new StoreFailedError(`the environment variable \`${cause.variable}\` is not set`, hint);
  }
}
