import { join } from "node:path";
import type { Settings } from "../core/manifest.js";
import { createFileStore, type FileStore } from "./file-store.js";

/** Which store is meant. */
export interface StoreLocation {
  /** The folder of the workspace. */
  readonly directory: string;
  /** Whether the emulator's own lock is meant. */
  readonly emulator?: boolean;
}

/** Opens the store of an environment; nothing is read yet. */
export function openStore(settings: Settings, { directory, emulator = false }: StoreLocation): FileStore {
  const name = settings.environment ?? "default";
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
