import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { LockText } from "../../core/state/lock-text.js";

const windowBytes = 1024 * 1024;

// The text is needed for an unknown time, and there is no clear moment at which to close it.
const forgotten = new FinalizationRegistry<number>((fd) => closeSync(fd));

/**
 * A text in UTF-8 that stays in its file and is read in windows; offsets are in bytes. The file is open as long as
 * the text is in use, so the content stays the same even if the file is replaced.
 */
export class FileText implements LockText {
  readonly length: number;
  readonly #window = Buffer.allocUnsafeSlow(windowBytes);
  #from = 0;
  #filled = 0;

  private constructor(private readonly fd: number) {
    this.length = fstatSync(fd).size;
    forgotten.register(this, fd);
  }

  /** Opens a file; throws the file system's own errors. */
  static open(file: string): FileText {
    return new FileText(openSync(file, "r"));
  }

  /** Gives the SHA-256 of the whole text in hexadecimal digits. */
  digest(): string {
    const hash = createHash("sha256");
    for (let at = 0; at < this.length; at += windowBytes) hash.update(this.#at(at, windowBytes));
    return hash.digest("hex");
  }

  indexOf(part: string, from: number): number {
    const sought = Buffer.from(part);
    for (let at = from; at + sought.length <= this.length;) {
      const bytes = this.#at(at, sought.length);
      const found = bytes.indexOf(sought);
      if (found !== -1) return at + found;
      // A character that is cut off at the end of a window begins the next.
      at += bytes.length - sought.length + 1;
    }
    return -1;
  }

  startsWith(part: string, at: number): boolean {
    return this.slice(at, Math.min(this.length, at + Buffer.byteLength(part))) === part;
  }

  slice(from: number, to: number): string {
    const length = Math.max(0, Math.min(to, this.length) - from);
    if (length <= windowBytes) return this.#at(from, length).toString("utf8", 0, length);
    const bytes = Buffer.allocUnsafe(length);
    return bytes.toString("utf8", 0, this.#read(bytes, from));
  }

  /** Gives the bytes at an offset: as many as asked for, up to the end of the window. */
  #at(offset: number, least: number): Buffer {
    const end = Math.min(this.length, offset + least);
    if (offset < this.#from || end > this.#from + this.#filled) {
      this.#from = offset;
      this.#filled = this.#read(this.#window, offset);
    }
    return this.#window.subarray(offset - this.#from, this.#filled);
  }

  #read(target: Buffer, position: number): number {
    let filled = 0;
    while (filled < target.length) {
      const count = readSync(this.fd, target, filled, target.length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }
}
