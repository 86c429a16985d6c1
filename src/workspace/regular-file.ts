import { isLfsPointer } from "../git/lfs-pointer.js";
import { bare, say } from "../core/finding/said.js";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { FileStamp } from "./kept-digests.js";
import { unread, type FileRead, type ReadProblem } from "../core/expression/included-data.js";
import { isUtf8 } from "node:buffer";

/** The most bytes that are read of a file. */
export const sizeLimit = 32 * 1024 * 1024;

/** Reads the bytes of a regular file of at most 32 MB, and its stamp. */
export function readRegular(
  file: string,
  absolute: string,
): FileRead<{ readonly bytes: Buffer; readonly stat: FileStamp }> {
  const fd = openSync(absolute, "r");
  try {
    // Of the opened file itself, in case another is put in its place a moment later.
    const stat = fstatSync(fd);
    if (!stat.isFile()) return notRegular(file, stat.isDirectory());
    if (stat.size > sizeLimit) return tooLarge(file);
    const bytes = Buffer.allocUnsafe(stat.size);
    return { ok: true, bytes: bytes.subarray(0, fill(fd, bytes)), stat };
  } finally {
    closeSync(fd);
  }
}

/** Reports a file of more bytes than are read. */
export function tooLarge(file: string): ReadProblem {
  const message = say`${{ file }} is larger than ${bare({ limit: sizeLimit }, "32 MB")}`;
  return unread("file-too-large", message, "split it");
}

/** Gives the beginning of a text, as far as two kilobytes; a character at the end may be cut. */
export function readHead(absolute: string): string {
  const fd = openSync(absolute, "r");
  try {
    const head = Buffer.allocUnsafe(2048);
    return head.toString("utf8", 0, fill(fd, head));
  } finally {
    closeSync(fd);
  }
}

// Gives where in the target the bytes of the file end.
function fill(fd: number, target: Buffer): number {
  let filled = 0;
  while (filled < target.length) {
    const count = readSync(fd, target, filled, target.length - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** Reports that a path leads to something other than a regular file. */
export function notRegular(file: string, isFolder: boolean): ReadProblem {
  const message = say`${{ file: file === "" ? "." : file }} is ${isFolder ? "a folder" : "a device, pipe or socket, not a regular file"}`;
  return unread("file-not-regular", message, isFolder ? "name a file in it" : "name a regular file");
}

/** Explains why a file could not be read. */
export function unreadable(file: string, cause: unknown): ReadProblem {
  const { code } = cause as NodeJS.ErrnoException;
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      // Node lists other bytes under a name that leads to nothing.
      if (file.includes("\ufffd"))
        return unread("file-unreadable", say`the name of ${{ file }} is not UTF-8`, "rename it");
      return unread("file-missing", say`${{ file }} does not exist`);
    case "ELOOP":
      return unread("file-unreadable", say`${{ file }} is part of a cycle of links`, "correct the link");
    default: {
      const message = say`${{ file }} cannot be read (${code ?? "unknown error"})`;
      return unread(
        "file-unreadable",
        message,
        "check its permissions, and those of the folders that it is in",
      );
    }
  }
}

/** Decodes a file's bytes: UTF-8 without NUL; a BOM is dropped. */
export function decode(file: string, content: Uint8Array): FileRead<{ readonly text: string }> {
  const bytes = Buffer.isBuffer(content)
    ? content
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const text = bytes.toString("utf8");
  // Bytes that are no character become U+FFFD, which a file may also have itself.
  const isOdd = text.includes("\0") || text.includes("\ufffd");
  const misencoded = isOdd ? checkEncoding(file, bytes) : undefined;
  if (misencoded) return misencoded;
  // Sent as a prompt, it would be a prompt of three lines.
  if (isLfsPointer(text)) {
    const message = say`${{ file }} is a pointer of Git LFS, not the text itself`;
    return unread("file-unreadable", message, "fetch the text with `git lfs pull`");
  }
  return { ok: true, text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text };
}

function checkEncoding(file: string, bytes: Buffer): ReadProblem | undefined {
  const zero = bytes.indexOf(0);
  if (zero !== -1) {
    const message = say`${{ file }} contains a NUL character in line ${{ line: lineAt(bytes, zero) }}`;
    return unread("file-encoding", message, "save it as UTF-8; a file in UTF-16 is full of these");
  }
  if (isUtf8(bytes)) return undefined;
  const message = say`${{ file }} is not UTF-8 in line ${{ line: firstBrokenLine(bytes) }}`;
  return unread("file-encoding", message, "save it as UTF-8");
}

function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(10); at !== -1 && at < offset; at = bytes.indexOf(10, at + 1)) line++;
  return line;
}

// A line break is never part of a longer character, so each line can be decoded on its own.
function firstBrokenLine(bytes: Buffer): number {
  let line = 1;
  for (let from = 0; from < bytes.length; line++) {
    const to = bytes.indexOf(10, from);
    const end = to === -1 ? bytes.length : to;
    if (!isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
  return line;
}
