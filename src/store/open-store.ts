import { join } from "node:path";
import type { Settings } from "../core/manifest.js";
import { createFileStore } from "./file-store.js";
import { createGitStore } from "./git-store.js";
import { unlinkedStore, type UnlockableStore } from "./unlinked-store.js";

/** Which store is meant. */
export interface StoreLocation {
  /** The folder of the workspace. */
  readonly directory: string;
  /** Whether the emulator's own lock is meant. */
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
    const journalName = `.agentform/${name}.journal`;
    const journalFile = join(directory, journalName);
    const store = createGitStore({ directory, remote, ref, journalFile, journalName });
    return unlinkedStore(store, [journalFile], directory);
  }
  const lockName = emulator ? `.agentform/emulator/${name}/agentform.lock` : lockFileName(settings);
  const lockFile = join(directory, lockName);
  const holderFile = join(directory, ".agentform", emulator ? `emulator/${name}.holder` : `${name}.holder`);
  const journalName = `${lockName}.journal`;
  const store = createFileStore({ lockFile, holderFile, lockName, journalName });
  return unlinkedStore(store, [lockFile, `${lockFile}.journal`, holderFile], directory);
}

/** The name of an environment's lock file, in the folder of the workspace. */
export function lockFileName({ environment }: Settings): string {
  return environment === null ? "agentform.lock" : `agentform.${environment}.lock`;
}
