import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { StoreFailedError } from "../../core/state/lock-store.js";
import { codeOf, naming } from "./failure.js";

/** Reads a file's text; null where there is none. Throws StoreFailedError with the name that people call it. */
export function readText(file: string, name: string): string | null {
  return naming(name, () => {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    // A device may never end and a pipe never begin; a folder gives its error when it is read.
    if (stat && !stat.isFile() && !stat.isDirectory()) {
      throw new StoreFailedError(`what stands at ${name} is not a file`);
    }
    try {
      return stat === undefined ? null : readFileSync(file, "utf8");
    } catch (thrown) {
      if (codeOf(thrown) === "ENOENT") return null;
      throw thrown;
    }
  });
}

/** Writes the whole text to an open file, however little of it the system takes at a time. */
export function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  for (let offset = 0; offset < bytes.length;) offset += writeSync(fd, bytes, offset);
}

/** Creates a file that must not exist, with its text on the disk before this returns. */
export function createDurably(file: string, text: string, prepare: (fd: number) => void = () => {}): void {
  const fd = openSync(file, "wx");
  try {
    prepare(fd);
    writeAll(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes the names in a folder durable: what was created, renamed or removed there before. */
export function syncFolder(folder: string): void {
  // Windows opens no folders; there the file system's own journal has to do.
  if (process.platform === "win32") return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
