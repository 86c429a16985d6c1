import { createHash } from "node:crypto";
import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { StoreFailedError } from "../../core/state/lock-store.js";
import { longestText, piecesOf, type StateText, type TextPieces } from "../../core/state/state-text.js";
import { codeOf, naming } from "./failure.js";
import { FileText } from "./file-text.js";

/** Reads a file's text; null if there is none. Throws StoreFailedError with the name for messages. */
export function readText(file: string, name: string): string | null {
  return naming(name, () => {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    // Reading a device may never end, and a pipe may never begin; a folder gives its error when it is read.
    if (stat && !stat.isFile() && !stat.isDirectory()) {
      throw new StoreFailedError(`${name} is not a file`);
    }
    if (stat !== undefined && stat.size > longestText) throw new StoreFailedError(tooLarge(name, stat.size));
    try {
      return stat === undefined ? null : readFileSync(file, "utf8");
    } catch (thrown) {
      if (codeOf(thrown) === "ENOENT") return null;
      throw thrown;
    }
  });
}

/** Says that a text is larger than one that can be read as a whole. */
export function tooLarge(name: string, bytes: number): string {
  const [size, most] = [bytes, longestText].map((each) => Math.ceil(each / 1_000_000));
  return `${name} has ${size} MB, and no more than ${most} MB can be read`;
}

// Most of a large lock is never needed, so it stays on the disk.
const largeBytes = 1_000_000;

/** Opens a file's text, which stays on the disk if it is large; null if there is none. Throws like `readText`. */
export function openText(file: string, name: string): StateText | null {
  const large = naming(name, () => {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    // Windows may refuse to replace an open file.
    const staysOpen = process.platform !== "win32" && stat?.isFile() === true && stat.size >= largeBytes;
    return staysOpen ? FileText.open(file) : undefined;
  });
  return large ?? readText(file, name);
}

/** Writes the whole text to an open file, in as many writes as the system needs; gives its length in bytes. */
export function writeAll(fd: number, text: string): number {
  const bytes = Buffer.from(text, "utf8");
  writeBytes(fd, bytes);
  return bytes.length;
}

function writeBytes(fd: number, bytes: Buffer): void {
  for (let offset = 0; offset < bytes.length;) offset += writeSync(fd, bytes, offset);
}

// Characters that are written at a time.
const portion = 1_000_000;

/** Creates a file that must not exist, and gives the SHA-256 of its text, which is on the disk when this returns. */
export function createDurably(
  file: string,
  text: TextPieces,
  prepare: (fd: number) => void = () => {},
): string {
  const fd = openSync(file, "wx");
  try {
    prepare(fd);
    const digest = createHash("sha256");
    for (const part of inPortions(text)) {
      const bytes = Buffer.from(part, "utf8");
      digest.update(bytes);
      writeBytes(fd, bytes);
    }
    fsyncSync(fd);
    return digest.digest("hex");
  } finally {
    closeSync(fd);
  }
}

function* inPortions(text: TextPieces): Generator<string> {
  let pieces: string[] = [];
  let length = 0;
  for (const piece of piecesOf(text)) {
    pieces.push(piece);
    length += piece.length;
    if (length < portion) continue;
    yield pieces.join("");
    [pieces, length] = [[], 0];
  }
  if (length > 0) yield pieces.join("");
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
