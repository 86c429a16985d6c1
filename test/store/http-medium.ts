import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { LockStore } from "../../src/core/state/lock-store.js";
import type { Settings } from "../../src/core/resources/manifest.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { openHttpStore } from "../../src/store/http/open-http-store.js";
import type { HttpStoreAccess } from "../../src/store/network/document-access.js";
import { StateServer, type StateServerOptions } from "./state-server.js";

/** The path of the state on the server, in each form. */
const statePaths = {
  plain: "/state/test",
  gitlab: "/api/v4/projects/group%2Fproject/terraform/state/test",
} as const;

/** A server, and folders of machines that use it, all gone when the test is over. */
export interface HttpMedium {
  readonly server: StateServer;
  readonly path: string;
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
export async function makeHttpMedium(options: StateServerOptions = {}): Promise<HttpMedium> {
  const server = await StateServer.start(options);
  const folder = mkdtempSync(join(tmpdir(), "agentform-http-"));
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { form = "plain" } = options;
  const path = statePaths[form];
  const lock: Settings["lock"] =
    form === "gitlab"
      ? { store: "http", gitlab: { project: "group/project", name: "test" } }
      : { store: "http", address: server.origin + path };
  const [user, password] = (options.credentials ?? "").split(":");
  const env = {
    CI_API_V4_URL: server.api,
    TF_HTTP_ADDRESS: server.origin,
    ...(user && password !== undefined && { TF_HTTP_USERNAME: user, TF_HTTP_PASSWORD: password }),
  };
  return {
    server,
    path,
    lock,
    env,
    machine(name) {
      mkdirSync(join(folder, name), { recursive: true });
      return join(folder, name);
    },
    open(directory, access = {}, given = lock) {
      const settings = { name: "test", environment: null, lock: given } as unknown as Settings;
      const journalName = ".agentform/test.journal";
      return openHttpStore(settings, {
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
