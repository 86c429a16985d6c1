import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { StoreFailedError } from "../../core/state/lock-store.js";
import { codeOf, naming } from "./failure.js";

/** Reads a file's text; null if there is none. Throws StoreFailedError with the name for messages. */
export function readText(file: string, name: string): string | null {
  return naming(name, () => {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    // Reading a device may never end, and a pipe may never begin; a folder gives its error when it is read.
    if (stat && !stat.isFile() && !stat.isDirectory()) {
      throw new StoreFailedError(`${name} is not a file`);
    }
    try {
      return stat === undefined ? null : readFileSync(file, "utf8");
    } catch (thrown) {
      if (codeOf(thrown) === "ENOENT") return null;
      throw thrown;
    }
  });
}

/** Writes the whole text to an open file, in as many writes as the system needs. */
export function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  for (let offset = 0; offset < bytes.length;) offset += writeSync(fd, bytes, offset);
}

/** Creates a file that must not exist; its text is on the disk when this returns. */
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
