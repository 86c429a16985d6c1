import { join } from "node:path";
import type { LockStore } from "../core/lock-store.js";
import type { Settings } from "../core/manifest.js";
import { createFileStore } from "./file-store.js";
import { createGitStore } from "./git-store.js";

/** Which store is meant. */
export interface StoreLocation {
  /** The folder of the workspace. */
  readonly directory: string;
  /** Whether the emulator's own lock is meant. */
  readonly emulator?: boolean;
}

/** A store that a person can take from its holder. */
export interface UnlockableStore extends LockStore {
  /** Removes the holder of that nonce, even one that is alive; gives whether there was one. */
  unlock(nonce: string): Promise<boolean>;
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
    return createGitStore({ directory, remote, ref, journalFile: join(directory, journalName), journalName });
  }
  const lockName = emulator ? `.agentform/emulator/${name}/agentform.lock` : lockFileName(settings);
  return createFileStore({
    lockFile: join(directory, lockName),
    holderFile: join(directory, ".agentform", emulator ? `emulator/${name}.holder` : `${name}.holder`),
    lockName,
    journalName: `${lockName}.journal`,
  });
}

/** The name of an environment's lock file, in the folder of the workspace. */
export function lockFileName({ environment }: Settings): string {
  return environment === null ? "agentform.lock" : `agentform.${environment}.lock`;
}
