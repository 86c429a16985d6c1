import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { LockOwner } from "../core/state/lock.js";
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
  /** Whose state it is from the next write on, where it is renamed in its place. */
  readonly renamedTo?: LockOwner;
}

type Open = (settings: Settings, location: StoreLocation) => Promise<LockStore>;

const stores: Readonly<Record<Settings["lock"]["store"], Open>> = {
  file: openFiles,
  async git(settings, location) {
    const { directory } = location;
    const { createGitStore } = await import("./git/git-store.js");
    const { remote = "origin" } = settings.lock;
    const ref = refOf(settings);
    const journal = journalPlace(settings, directory, ref.replace(/^refs\/agentform\//, ""));
    const { otherwise, remember, guard } = careOf(settings, location);
    return createGitStore({ directory, remote, ref, ...journal, otherwise, remember, guard });
  },
  async http(settings, location) {
    const { openHttpStore } = await import("./http/open-http-store.js");
    const journal = journalPlace(settings, location.directory, placeName(settings, httpLocation(settings)));
    return openHttpStore(settings, { ...careOf(settings, location), ...journal });
  },
  async postgres(settings, location) {
    const { openPostgresStore } = await import("./postgres/open-postgres-store.js");
    return openPostgresStore(settings, careOf(settings, location));
  },
  async s3(settings, location) {
    const { openS3Store } = await import("./s3/open-s3-store.js");
    const journal = journalPlace(settings, location.directory, placeName(settings, s3Location(settings)));
    return openS3Store(settings, { ...careOf(settings, location), ...journal });
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

function careOf(settings: Settings, location: StoreLocation) {
  // A wrong name or address finds no state either.
  const otherwise = "check `spec.lock`, `metadata.name` and the environment";
  const remember = (lockName: string) => {
    const { file, name } = machineFile(location.directory, `${placeName(settings, lockName)}.lock`);
    return new MachineMemory(file, name);
  };
  return { ...location, otherwise, remember, guard: guardOf(location.directory) };
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

/** Whether two settings name the same place for a state. */
export function isSamePlace(one: Settings, other: Settings): boolean {
  return placeOf(one) === placeOf(other);
}

function placeOf(settings: Settings): string {
  const { name, environment, lock } = settings;
  const places: Readonly<Record<Settings["lock"]["store"], () => unknown>> = {
    file: () => lockFileName(settings),
    git: () => [lock.remote ?? "origin", refOf(settings)],
    http: () => httpLocation(settings),
    postgres: () => [lock.url, lock.schema, name, environment],
    s3: () => s3Location(settings),
  };
  return JSON.stringify([lock.store, places[lock.store]()]);
}

function refOf(settings: Settings): string {
  return settings.lock.ref ?? `refs/agentform/${settings.name}/${nameOf(settings)}`;
}

/** The name of an environment's lock file, in the folder of the workspace. */
export function lockFileName({ environment }: Settings): string {
  return environment === null ? "agentform.lock" : `agentform.${environment}.lock`;
}
