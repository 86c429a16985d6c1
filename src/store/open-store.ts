import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { LockStore } from "../core/state/lock-store.js";
import { httpLocation, s3Location } from "../core/resources/lock-location.js";
import type { Settings } from "../core/resources/manifest.js";
import { contentDigest } from "../digest.js";
import { findRepository } from "../git/repository.js";
import { createFileStore } from "./file/file-store.js";
import type { StoreAccess } from "./network/access.js";
import { fileHistory } from "./file/file-history.js";
import { FileLockMemory } from "./file/lock-memory.js";
import { localFolder } from "./file/tracked-state.js";
import { unlinkedStore } from "./file/unlinked-store.js";

/** Selects a store, and how it is reached. */
export interface StoreLocation extends StoreAccess {
  /** The folder of the workspace. */
  readonly directory: string;
  /** Whether to use the emulator's own lock. */
  readonly emulator?: boolean;
}

/** Opens the store of an environment; nothing is read yet. What only some stores need is loaded for them alone. */
export async function openStore(settings: Settings, location: StoreLocation): Promise<LockStore> {
  const { directory, emulator = false } = location;
  const name = settings.environment ?? "default";
  if (settings.lock.store === "http" && !emulator) {
    const { openHttpStore } = await import("./http/open-http-store.js");
    const place = contentDigest(JSON.stringify(httpLocation(settings))).slice(0, 12);
    const journal = journalPlace(settings, directory, `${settings.name}/${name}.http-${place}`);
    const store = openHttpStore(settings, { ...location, ...journal });
    return onNetwork(store, directory);
  }
  if (settings.lock.store === "s3" && !emulator) {
    const { openS3Store } = await import("./s3/open-s3-store.js");
    const place = contentDigest(JSON.stringify(s3Location(settings))).slice(0, 12);
    const journal = journalPlace(settings, directory, `${settings.name}/${name}.s3-${place}`);
    const store = openS3Store(settings, { ...location, ...journal });
    return onNetwork(store, directory);
  }
  if (settings.lock.store === "postgres" && !emulator) {
    const { openPostgresStore } = await import("./postgres/open-postgres-store.js");
    return onNetwork(openPostgresStore(settings, location), directory);
  }
  if (settings.lock.store === "git" && !emulator) {
    const { createGitStore } = await import("./git/git-store.js");
    const { remote = "origin", ref = `refs/agentform/${settings.name}/${name}` } = settings.lock;
    const journal = journalPlace(settings, directory, ref.replace(/^refs\/agentform\//, ""));
    const store = createGitStore({ directory, remote, ref, ...journal });
    return unlinkedStore(store, [join(directory, localFolder)], directory);
  }
  const lockName = emulator ? `${localFolder}/emulator/${name}/agentform.lock` : lockFileName(settings);
  const lockFile = join(directory, lockName);
  const holderFile = join(directory, localFolder, emulator ? `emulator/${name}.holder` : `${name}.holder`);
  const journalName = `${lockName}.journal`;
  const copyFile = join(directory, localFolder, `${name}.lock`);
  const place = { directory, lockName, lockFile, copyFile };
  const kept = emulator ? {} : { memory: new FileLockMemory(place), history: fileHistory(place) };
  const store = createFileStore({ lockFile, holderFile, lockName, journalName, ...kept });
  return unlinkedStore(store, [lockFile, `${lockFile}.journal`, holderFile, copyFile], directory);
}

// A wrong name or address finds no state either.
function onNetwork(store: LockStore, directory: string): LockStore {
  const opened = unlinkedStore(store, [join(directory, localFolder)], directory);
  const otherwise = "check `spec.lock`, `metadata.name` and the environment";
  return {
    ...opened,
    async read() {
      const state = await opened.read();
      return state.lock === null ? { ...state, otherwise } : state;
    },
  };
}

// In git's own folder, if there is one: a commit cannot bring a file there, and all work trees share it.
function journalPlace({ environment }: Settings, directory: string, name: string) {
  const { commonDir = join(directory, localFolder) } = findRepository(directory) ?? {};
  const journalFile = join(commonDir, "agentform", `${encodeURIComponent(name)}.journal`);
  const journalName = relative(realpathSync(directory), journalFile).split(sep).join("/");
  return { environment, journalFile, journalName };
}

/** The name of an environment's lock file, in the folder of the workspace. */
export function lockFileName({ environment }: Settings): string {
  return environment === null ? "agentform.lock" : `agentform.${environment}.lock`;
}
