import { readdirSync } from "node:fs";
import { join } from "node:path";
import { unlessFailing } from "../disk/unless-failing.js";
import { ownerOf } from "../core/state/lock.js";
import type { LockStore, StoreFailedError } from "../core/state/lock-store.js";
import { environmentName } from "../core/resources/environment-name.js";
import {
  gitRef,
  httpLocation,
  lockFileName,
  lockFilesAmong,
  s3Location,
} from "../core/resources/lock-location.js";
import type { Settings } from "../core/resources/manifest.js";
import { contentDigest } from "../digest.js";
import { findRepository } from "../git/repository.js";
import { createFileStore } from "./file/file-store.js";
import { comparePlace } from "./network/chosen-place.js";
import type { StoreAccess } from "./network/access.js";
import type { SealCheck } from "./seal/sealed-store.js";
import { FileMemory, journalCopyOf } from "./file/file-memory.js";
import { copyOf, pathFrom } from "./file/lock-copies.js";
import { TreeHolder } from "./file/tree-holder.js";
import { guardFiles, localFolder } from "./file/own-files.js";
import { MachineMemory } from "./local/machine-memory.js";

/** Selects a store, and how it is reached. */
export interface StoreLocation extends StoreAccess {
  readonly directory: string;
  /** Whether to use the emulator's own lock. */
  readonly emulator?: boolean;
  /** How the seal is looked at, if the manifest asks for one; `needed` unless given. */
  readonly sealCheck?: SealCheck;
}

/** A location, and what keeps a store from being used. */
interface GuardedLocation extends StoreLocation {
  readonly refusal?: StoreFailedError;
}

type Open = (settings: Settings, location: GuardedLocation) => Promise<LockStore>;

const stores: Readonly<Record<Settings["lock"]["store"], Open>> = {
  file: openFiles,
  async git(settings, location) {
    const { directory } = location;
    const { createGitStore } = await import("./git/git-store.js");
    const { remote = "origin" } = settings.lock;
    const ref = gitRef(settings);
    const journal = journalPlace(settings, directory, ref.replace(/^refs\/agentform\//, ""));
    const named = settings.lock.ref === undefined && { workspace: settings.name };
    return createGitStore({ ...careOf(settings, location), remote, ref, ...named, ...journal });
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

/** Opens an environment's store and reads nothing; one whose manifest names another place refuses each use. */
export async function openStore(settings: Settings, location: StoreLocation): Promise<LockStore> {
  const { store, seal } = settings.lock;
  // What is in the emulator is nobody's.
  if (location.emulator === true) return await openFiles(settings, location);
  const { secrets, isChosenHere = false } = location;
  const place = isChosenHere ? { isChosenHere } : comparePlace(settings, secrets);
  const opened = await stores[store](settings, { ...location, ...place });
  return seal === undefined ? opened : await sealed(opened, seal, settings, location);
}

async function sealed(
  store: LockStore,
  named: string,
  settings: Settings,
  { secrets, sealCheck: check = "needed", renamedTo }: StoreLocation,
): Promise<LockStore> {
  const [{ SealedStore }, { findSealKey }] = await Promise.all([
    import("./seal/sealed-store.js"),
    import("./seal/seal-key.js"),
  ]);
  const found = findSealKey(named, secrets);
  return new SealedStore(store, ownerOf(settings), { found, check, ...(renamedTo && { renamedTo }) });
}

/** Opens the files of an environment, whatever store the manifest names. */
export async function openLockFiles(settings: Settings, location: StoreLocation): Promise<LockStore> {
  const { seal } = settings.lock;
  const lock = { store: "file" as const, ...(seal !== undefined && { seal }) };
  return await openStore({ ...settings, lock }, { ...location, isChosenHere: true });
}

async function openFiles(settings: Settings, location: GuardedLocation): Promise<LockStore> {
  const { directory, emulator = false } = location;
  const name = environmentName(settings.environment);
  const lockName = lockFileName(settings, emulator);
  const lockFile = join(directory, lockName);
  const holderFile = join(directory, localFolder, emulator ? `emulator/${name}.holder` : `${name}.holder`);
  const journalName = `${lockName}.journal`;
  const copy = copyOf(directory, lockName, name);
  const place = { directory, lockName, lockFile };
  const holder = new TreeHolder(holderFile, place);
  const memory = new FileMemory({ ...place, copy, holder });
  const kept = emulator
    ? {}
    : {
        holder,
        remember: () => memory,
        ...(copy.isInGit && { journalCopy: journalCopyOf(copy.file) }),
        onBegin: () => memory.begin(),
        versions: () => memory.versions(),
        environments: async () => lockFilesAmong(unlessFailing(() => readdirSync(directory)) ?? []),
      };
  const ownFiles = [lockFile, `${lockFile}.journal`, holderFile, ...(copy.isInGit ? [] : [copy.file])];
  const guard = guardOf(location, ownFiles);
  return createFileStore({ lockFile, holderFile, lockName, journalName, guard, ...kept });
}

function careOf(settings: Settings, location: GuardedLocation) {
  // A wrong name or address finds no state either.
  const otherwise = "check `spec.lock`, `metadata.name` and the environment";
  const remember = (lockName: string) => {
    const { file, name } = machineFile(location.directory, `${placeName(settings, lockName)}.lock`);
    return new MachineMemory(file, name);
  };
  return { ...location, otherwise, remember, guard: guardOf(location) };
}

function guardOf(
  { directory, refusal }: GuardedLocation,
  files: readonly string[] = [join(directory, localFolder)],
): (isTaken: boolean) => void {
  return (isTaken) => {
    if (refusal) throw refusal;
    guardFiles(files, directory, isTaken);
  };
}

// One file for each place that the manifest may name.
function placeName(settings: Settings, location: object | string): string {
  const place = contentDigest(JSON.stringify(location)).slice(0, 12);
  return `${settings.name}/${environmentName(settings.environment)}.${settings.lock.store}-${place}`;
}

function journalPlace({ environment }: Settings, directory: string, place: string) {
  const { file: journalFile, name: journalName } = machineFile(directory, `${place}.journal`);
  return { environment, journalFile, journalName };
}

// In git's own folder, if there is one: a commit cannot bring a file there, and all work trees share it.
function machineFile(directory: string, name: string) {
  const { commonDir = join(directory, localFolder) } = findRepository(directory) ?? {};
  const file = join(commonDir, "agentform", encodeURIComponent(name));
  return { file, name: pathFrom(directory, file) };
}

/** Gives the place that settings name for a state, as a text that tells it from others. */
export function placeOf(settings: Settings): string {
  const { name, environment, lock } = settings;
  const places: Readonly<Record<Settings["lock"]["store"], () => unknown>> = {
    file: () => lockFileName(settings),
    git: () => [lock.remote ?? "origin", gitRef(settings)],
    http: () => httpLocation(settings),
    postgres: () => [lock.url, lock.schema, name, environment],
    s3: () => s3Location(settings),
  };
  return JSON.stringify([lock.store, places[lock.store]()]);
}
