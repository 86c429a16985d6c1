import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Settings } from "../core/resources/manifest.js";
import { findRepository } from "../git/repository.js";
import { createFileStore } from "./file/file-store.js";
import { createGitStore } from "./git/git-store.js";
import { FileLockMemory } from "./file/lock-memory.js";
import { localFolder } from "./file/tracked-state.js";
import { unlinkedStore, type UnlockableStore } from "./file/unlinked-store.js";

/** Selects a store. */
export interface StoreLocation {
  /** The folder of the workspace. */
  readonly directory: string;
  /** Whether to use the emulator's own lock. */
  readonly emulator?: boolean;
}

/** Opens the store of an environment; nothing is read yet. */
export function openStore(
  settings: Settings,
  { directory, emulator = false }: StoreLocation,
): UnlockableStore {
  const name = settings.environment ?? "default";
  if (settings.lock.store === "git" && !emulator) {
    const { remote = "origin", ref = `refs/agentform/${settings.name}/${name}` } = settings.lock;
    const store = createGitStore({ directory, remote, ref, ...journalPlace(directory, ref) });
    return unlinkedStore(store, [join(directory, localFolder)], directory);
  }
  const lockName = emulator ? `${localFolder}/emulator/${name}/agentform.lock` : lockFileName(settings);
  const lockFile = join(directory, lockName);
  const holderFile = join(directory, localFolder, emulator ? `emulator/${name}.holder` : `${name}.holder`);
  const journalName = `${lockName}.journal`;
  const copyFile = join(directory, localFolder, `${name}.lock`);
  const memory = emulator ? undefined : new FileLockMemory({ directory, lockName, lockFile, copyFile });
  const store = createFileStore({ lockFile, holderFile, lockName, journalName, ...(memory && { memory }) });
  return unlinkedStore(store, [lockFile, `${lockFile}.journal`, holderFile, copyFile], directory);
}

// In git's own folder: a commit cannot bring a file there, and all work trees share it, as they share the ref.
function journalPlace(directory: string, ref: string): { journalFile: string; journalName: string } {
  const { commonDir = join(directory, ".git") } = findRepository(directory) ?? {};
  const name = encodeURIComponent(ref.replace(/^refs\/agentform\//, ""));
  const journalFile = join(commonDir, "agentform", `${name}.journal`);
  const journalName = relative(realpathSync(directory), journalFile).split(sep).join("/");
  return { journalFile, journalName };
}

/** The name of an environment's lock file, in the folder of the workspace. */
export function lockFileName({ environment }: Settings): string {
  return environment === null ? "agentform.lock" : `agentform.${environment}.lock`;
}
