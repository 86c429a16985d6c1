import { randomBytes } from "node:crypto";
import { fchmodSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { bare, say } from "../../core/finding/said.js";
import { StoreFailedError, type StoredState } from "../../core/state/lock-store.js";
import { contentDigest } from "../../digest.js";
import { isLfsPointer } from "../../git/lfs-pointer.js";
import { createDurably, syncFolder } from "../../disk/durable-file.js";
import { readHashed } from "./read-text.js";
import { naming } from "./failure.js";

/** Gives the version of a lock's text: its SHA-256 in hexadecimal digits; null for no lock. */
export function versionOf(lock: string): string;
export function versionOf(lock: string | null): string | null;
export function versionOf(lock: string | null): string | null {
  return lock === null ? null : contentDigest(lock);
}

/** The lock as a file that is only replaced as a whole. */
export class LockFile {
  constructor(
    private readonly file: string,
    private readonly name: string,
  ) {}

  /** Reads the lock, and gives its version. */
  read(): Pick<StoredState, "lock" | "version"> {
    const read = readHashed(this.file, this.name);
    // A long one is in pieces, and is not put together to be looked at.
    if (read && read.text.length < 1024 && isLfsPointer(read.text))
      throw new StoreFailedError(
        say`${bare({ lock: this.name })} is a pointer of Git LFS, not the lock itself`,
        "fetch it with `git lfs pull`; then take it out of Git LFS with `git lfs untrack`, for its history cannot be read there",
      );
    return { lock: read?.text ?? null, version: read?.digest ?? null };
  }

  /** Replaces the lock durably, keeping the file's mode, and gives its version; at every moment either the old or the new one exists. */
  write(lock: string): string {
    return naming(this.name, () => {
      this.#removeDrafts();
      const draft = `${this.file}.${randomBytes(8).toString("hex")}.tmp`;
      let version: string;
      try {
        const mode = lstatSync(this.file, { throwIfNoEntry: false })?.mode;
        version = createDurably(draft, lock, (fd) => mode !== undefined && fchmodSync(fd, mode & 0o7777));
        renameSync(draft, this.file);
      } catch (thrown) {
        rmSync(draft, { force: true });
        throw thrown;
      }
      syncFolder(dirname(this.file));
      return version;
    });
  }

  /** Removes leftovers of processes that died while writing; only the store's holder writes, so none is in use. */
  #removeDrafts(): void {
    const [folder, prefix] = [dirname(this.file), `${basename(this.file)}.`];
    for (const entry of readdirSync(folder)) {
      if (!entry.startsWith(prefix) || !/^[0-9a-f]{16}\.tmp$/.test(entry.slice(prefix.length))) continue;
      rmSync(join(folder, entry), { force: true });
    }
  }
}
