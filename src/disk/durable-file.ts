import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { contentDigest } from "../digest.js";

/** Writes all bytes to an open file, in as many writes as the system needs; gives their number. */
export function writeAll(fd: number, bytes: Buffer): number {
  for (let offset = 0; offset < bytes.length;) offset += writeSync(fd, bytes, offset);
  return bytes.length;
}

/** Creates a file that must not exist, and gives the SHA-256 of its text, which is on the disk when this returns. */
export function createDurably(file: string, text: string, prepare: (fd: number) => void = () => {}): string {
  const fd = openSync(file, "wx");
  try {
    prepare(fd);
    const bytes = Buffer.from(text, "utf8");
    writeAll(fd, bytes);
    fsyncSync(fd);
    return contentDigest(bytes);
  } finally {
    closeSync(fd);
  }
}

/** Gives a new hidden name beside a file, for the draft that gets its name when it is whole. */
export function draftOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.${randomBytes(8).toString("hex")}.tmp`);
}

/** Makes earlier creations, renames and removals in a folder durable. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders; there, the file system's own journal must do.
  if (process.platform === "win32") return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
