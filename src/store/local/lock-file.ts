import { randomBytes } from "node:crypto";
import { fchmodSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { LockText } from "../../core/state/lock-text.js";
import { contentDigest } from "../../digest.js";
import { createDurably, readText, syncFolder } from "./durable-file.js";
import { naming } from "./failure.js";
import { FileText } from "./file-text.js";

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

  /** Reads the lock's text and its version; both null if there is none. */
  read():
    | { readonly text: LockText; readonly version: string }
    | { readonly text: null; readonly version: null } {
    const large = naming(this.name, () => openLarge(this.file));
    if (large) return { text: large, version: naming(this.name, () => large.digest()) };
    const text = readText(this.file, this.name);
    return text === null ? { text: null, version: null } : { text, version: versionOf(text) };
  }

  /** Replaces the lock durably, keeping the file's mode; at every moment either the old or the new one exists. */
  write(lock: string): void {
    naming(this.name, () => {
      this.#removeDrafts();
      const draft = `${this.file}.${randomBytes(8).toString("hex")}.tmp`;
      try {
        const mode = lstatSync(this.file, { throwIfNoEntry: false })?.mode;
        createDurably(draft, lock, (fd) => mode !== undefined && fchmodSync(fd, mode & 0o7777));
        renameSync(draft, this.file);
      } catch (thrown) {
        rmSync(draft, { force: true });
        throw thrown;
      }
      syncFolder(dirname(this.file));
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

// Most of a large lock is never needed, so it stays on the disk.
const largeBytes = 1_000_000;

function openLarge(file: string): FileText | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  // Windows may refuse to replace an open file.
  const staysOpen = process.platform !== "win32" && stat?.isFile() === true && stat.size >= largeBytes;
  return staysOpen ? FileText.open(file) : undefined;
}
