import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { LockStore } from "../../src/core/state/lock-store.js";
import { createFileStore, type FileStoreOptions } from "../../src/store/file/file-store.js";

/** A workspace folder of its own for a test, with the places of a file store's files in it. */
export interface Medium extends Omit<FileStoreOptions, "sync"> {
  readonly folder: string;
  readonly journalFile: string;
}

/** Makes a workspace folder that is removed when the test is over. */
export function makeMedium(): Medium {
  const folder = mkdtempSync(join(tmpdir(), "agentform-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    lockFile: join(folder, "agentform.lock"),
    journalFile: join(folder, "agentform.lock.journal"),
    holderFile: join(folder, ".agentform", "default.holder"),
    lockName: "agentform.lock",
    journalName: "agentform.lock.journal",
  };
}

/** Opens a store on the medium. */
export function openStore(medium: Medium, sync?: (fd: number) => Promise<void>): LockStore {
  return createFileStore(sync ? { ...medium, sync } : medium);
}

/** Changes fields of the record in the holder file. */
export function changeHolder(medium: Medium, fields: Record<string, unknown>): void {
  const record = JSON.parse(readFileSync(medium.holderFile, "utf8")) as Record<string, unknown>;
  writeFileSync(medium.holderFile, JSON.stringify({ ...record, ...fields }));
}
