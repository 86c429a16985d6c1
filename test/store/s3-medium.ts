import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { LockStore } from "../../src/core/state/lock-store.js";
import type { Settings } from "../../src/core/resources/manifest.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { openS3Store } from "../../src/store/s3/open-s3-store.js";
import type { HttpStoreAccess } from "../../src/store/network/document-access.js";
import { accessKey, S3Server, type S3ServerOptions } from "./s3-server.js";

/** The key of the state in the bucket. */
export const stateKey = "desk/test.json";

/** A server, and folders of machines that use it, all gone when the test is over. */
export interface S3Medium {
  readonly server: S3Server;
  /** The settings of the lock in a manifest. */
  readonly lock: Settings["lock"];
  /** The environment variables that a process needs. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes the folder of a machine. */
  machine(name: string): string;
  /** Opens a store on a machine; nothing is waited for long unless told otherwise. */
  open(directory: string, access?: Partial<HttpStoreAccess>, lock?: Settings["lock"]): LockStore;
}

/** Starts a server. */
export async function makeS3Medium(options: S3ServerOptions = {}): Promise<S3Medium> {
  const server = await S3Server.start(options);
  const folder = mkdtempSync(join(tmpdir(), "agentform-s3-"));
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { region, keys = [accessKey] } = options;
  const lock: Settings["lock"] = {
    store: "s3",
    bucket: "test-bucket",
    key: stateKey,
    endpoint: server.origin,
    ...(region !== undefined && { region }),
  };
  const [key = accessKey] = keys;
  const env = {
    AWS_ACCESS_KEY_ID: key.id,
    AWS_SECRET_ACCESS_KEY: key.secret,
    ...(key.token !== undefined && { AWS_SESSION_TOKEN: key.token }),
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_ENDPOINT_URL_S3: server.origin,
  };
  return {
    server,
    lock,
    env,
    machine(name) {
      mkdirSync(join(folder, name), { recursive: true });
      return join(folder, name);
    },
    open(directory, access = {}, given = lock) {
      const settings = { name: "test", environment: null, lock: given } as unknown as Settings;
      const journalName = ".agentform/test.journal";
      return openS3Store(settings, {
        journalFile: join(directory, journalName),
        journalName,
        secrets: environmentSecrets(env),
        pushInterval: 60_000,
        patience: 0,
        timeout: 600_000,
        ...access,
      });
    },
  };
}
