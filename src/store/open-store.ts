import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { LockStore } from "../core/state/lock-store.js";
import { httpLocation, s3Location } from "../core/resources/lock-location.js";
import type { Settings } from "../core/resources/manifest.js";
import { contentDigest } from "../digest.js";
import { findRepository } from "../git/repository.js";
import { createFileStore } from "./file/file-store.js";
import type { StoreAccess } from "./network/access.js";
import { FileMemory } from "./file/file-memory.js";
import { guardFiles, localFolder } from "./file/own-files.js";
import { MachineMemory } from "./local/machine-memory.js";

/** Selects a store, and how it is reached. */
export interface StoreLocation extends StoreAccess {
  /** The folder of the workspace. */
  readonly directory: string;
  /** Whether to use the emulator's own lock. */
  readonly emulator?: boolean;
}

type Open = (settings: Settings, location: StoreLocation) => Promise<LockStore>;

const stores: Readonly<Record<Settings["lock"]["store"], Open>> = {
  file: openFiles,
  async git(settings, { directory }) {
    const { createGitStore } = await import("./git/git-store.js");
    const { remote = "origin", ref = `refs/agentform/${settings.name}/${nameOf(settings)}` } = settings.lock;
    const journal = journalPlace(settings, directory, ref.replace(/^refs\/agentform\//, ""));
    const guard = guardOf(directory);
    return createGitStore({ directory, remote, ref, ...journal, otherwise: wrongName, guard });
  },
  async http(settings, location) {
    const { openHttpStore } = await import("./http/open-http-store.js");
    const journal = journalPlace(settings, location.directory, placeName(settings, httpLocation(settings)));
    return openHttpStore(settings, { ...onNetwork(settings, location), ...journal });
  },
  async postgres(settings, location) {
    const { openPostgresStore } = await import("./postgres/open-postgres-store.js");
    return openPostgresStore(settings, onNetwork(settings, location));
  },
  async s3(settings, location) {
    const { openS3Store } = await import("./s3/open-s3-store.js");
    const journal = journalPlace(settings, location.directory, placeName(settings, s3Location(settings)));
    return openS3Store(settings, { ...onNetwork(settings, location), ...journal });
  },
};

/** Opens the store of an environment; nothing is read yet. What only some stores need is loaded for them alone. */
export async function openStore(settings: Settings, location: StoreLocation): Promise<LockStore> {
  return await stores[location.emulator === true ? "file" : settings.lock.store](settings, location);
}

async function openFiles(
  settings: Settings,
  { directory, emulator = false }: StoreLocation,
): Promise<LockStore> {
  const name = nameOf(settings);
  const lockName = emulator ? `${localFolder}/emulator/${name}/agentform.lock` : lockFileName(settings);
  const lockFile = join(directory, lockName);
  const holderFile = join(directory, localFolder, emulator ? `emulator/${name}.holder` : `${name}.holder`);
  const journalName = `${lockName}.journal`;
  const copyName = `${localFolder}/${name}.lock`;
  const copyFile = join(directory, copyName);
  const place = { directory, lockName, lockFile, copyFile, copyName };
  const kept = emulator ? {} : { memory: new FileMemory(place) };
  const guard = () => guardFiles([lockFile, `${lockFile}.journal`, holderFile, copyFile], directory);
  return createFileStore({ lockFile, holderFile, lockName, journalName, guard, ...kept });
}

// A wrong name or address finds no state either.
const wrongName = "check `spec.lock`, `metadata.name` and the environment";

function onNetwork(settings: Settings, location: StoreLocation) {
  const remember = (lockName: string) => {
    const { file, name } = machineFile(location.directory, `${placeName(settings, lockName)}.lock`);
    return new MachineMemory(file, name);
  };
  return { ...location, otherwise: wrongName, remember, guard: guardOf(location.directory) };
}

function guardOf(directory: string): () => void {
  return () => guardFiles([join(directory, localFolder)], directory);
}

function nameOf({ environment }: Settings): string {
  return environment ?? "default";
}

// One file for each place that the manifest may name.
function placeName(settings: Settings, location: object | string): string {
  const place = contentDigest(JSON.stringify(location)).slice(0, 12);
  return `${settings.name}/${nameOf(settings)}.${settings.lock.store}-${place}`;
}

function journalPlace({ environment }: Settings, directory: string, place: string) {
  const { file: journalFile, name: journalName } = machineFile(directory, `${place}.journal`);
  return { environment, journalFile, journalName };
}

// In git's own folder, if there is one: a commit cannot bring a file there, and all work trees share it.
function machineFile(directory: string, name: string) {
  const { commonDir = join(directory, localFolder) } = findRepository(directory) ?? {};
  const file = join(commonDir, "agentform", encodeURIComponent(name));
  return { file, name: relative(realpathSync(directory), file).split(sep).join("/") };
}

/** The name of an environment's lock file, in the folder of the workspace. */
export function lockFileName({ environment }: Settings): string {
  return environment === null ? "agentform.lock" : `agentform.${environment}.lock`;
}
