// A process of its own that does with a store what it is told.
import {
  StoreChangedError,
  StoreFailedError,
  StoreHeldError,
  type LockStore,
} from "../../src/core/state/lock-store.js";
import { createFileStore, type FileStoreOptions } from "../../src/store/file/file-store.js";
import { createGitStore, type GitStoreOptions } from "../../src/store/git/git-store.js";
import { openHttpStore } from "../../src/store/http/open-http-store.js";
import { openPostgresStore, type PostgresStoreAccess } from "../../src/store/postgres/open-postgres-store.js";
import { openS3Store } from "../../src/store/s3/open-s3-store.js";
import type { HttpStoreAccess } from "../../src/store/network/document-access.js";
import type { Settings } from "../../src/core/resources/manifest.js";

/** How a runner opens its store; everything in it can be sent to a process. */
export type RunnerSettings =
  | { readonly kind: "file"; readonly options: FileStoreOptions }
  | { readonly kind: "git"; readonly options: GitStoreOptions }
  | { readonly kind: "http"; readonly options: HttpStoreAccess; readonly lock: Settings["lock"] }
  | { readonly kind: "postgres"; readonly options: PostgresStoreAccess; readonly lock: Settings["lock"] }
  | { readonly kind: "s3"; readonly options: HttpStoreAccess; readonly lock: Settings["lock"] };

/** What a runner can be told to do. */
export type RunnerOrder =
  | { readonly do: "acquire" | "release" }
  | { readonly do: "append"; readonly lines: string }
  | { readonly do: "replace"; readonly lock: string };

const openers: {
  readonly [Kind in Settings["lock"]["store"]]: (
    settings: Extract<RunnerSettings, { readonly kind: Kind }>,
  ) => LockStore;
} = {
  file: ({ options }) => createFileStore(options),
  git: ({ options }) => createGitStore(options),
  http: ({ lock, options }) => openHttpStore(named(lock), options),
  postgres: ({ lock, options }) => openPostgresStore(named(lock), options),
  s3: ({ lock, options }) => openS3Store(named(lock), options),
};

function open<Kind extends RunnerSettings["kind"]>(
  settings: Extract<RunnerSettings, { readonly kind: Kind }>,
): LockStore {
  return openers[settings.kind as Kind](settings);
}

function named(lock: Settings["lock"]): Settings {
  return { name: "test", environment: null, lock } as unknown as Settings;
}

async function obey(store: LockStore, order: RunnerOrder): Promise<void> {
  switch (order.do) {
    case "acquire":
      return await store.acquire();
    case "release":
      return await store.release();
    case "append":
      // As an apply does before it begins anything.
      await store.confirm(false);
      store.append(order.lines);
      return await store.flush();
    case "replace":
      await store.replace(order.lock, (await store.read()).version);
  }
}

function nameOf(thrown: unknown): string {
  const known = [StoreChangedError, StoreFailedError, StoreHeldError].find((one) => thrown instanceof one);
  return known ? (thrown as Error).name : `threw ${thrown}`;
}

if (process.send) {
  const store = open(JSON.parse(process.argv[2] ?? "") as RunnerSettings);
  process.on("message", (order: RunnerOrder) => {
    void obey(store, order).then(
      () => process.send?.("done"),
      (thrown: unknown) => process.send?.(nameOf(thrown)),
    );
  });
  process.on("disconnect", () => process.exit());
  process.send("ready");
}
