import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { StateText } from "../../core/state/state-text.js";

// The least that is read at a jump, and the most that is read ahead.
const leastBytes = 4096;
const mostBytes = 1024 * 1024;

const none = Buffer.alloc(0);

/** Reads bytes of an open file to the beginning of a target; gives how many. */
export type ReadAt = (fd: number, target: Buffer, position: number) => number;

const readAt: ReadAt = (fd, target, position) => readSync(fd, target, 0, target.length, position);

// The text is needed for an unknown time, and there is no clear moment at which to close it.
const forgotten = new FinalizationRegistry<number>((fd) => closeSync(fd));

/**
 * A text in UTF-8 that stays in its file and is read in windows; offsets are in bytes. The file is open as long as
 * the text is in use, so the content stays the same even if the file is replaced, or lines are added to it.
 */
export class FileText implements StateText {
  readonly length: number;
  #window = none;
  #from = 0;
  #filled = 0;
  /** How much is read at a time: the more, the longer each read goes on where the last one ended. */
  #ahead = leastBytes;

  private constructor(
    private readonly fd: number,
    private readonly readAt: ReadAt,
  ) {
    this.length = fstatSync(fd).size;
    forgotten.register(this, fd);
  }

  /** Opens a file; throws the file system's own errors. */
  static open(file: string, read: ReadAt = readAt): FileText {
    return new FileText(openSync(file, "r"), read);
  }

  /** Gives the SHA-256 of the whole text in hexadecimal digits. */
  digest(): string {
    const hash = createHash("sha256");
    for (let at = 0; at < this.length;) {
      const bytes = this.#at(at, 1);
      if (bytes.length === 0) break;
      hash.update(bytes);
      at += bytes.length;
    }
    return hash.digest("hex");
  }

  indexOf(part: string, from: number): number {
    const sought = Buffer.from(part);
    for (let at = from; at + sought.length <= this.length;) {
      const bytes = this.#at(at, sought.length);
      const found = bytes.indexOf(sought);
      if (found !== -1) return at + found;
      if (bytes.length < sought.length) break;
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
    return length === 0 ? "" : this.#at(from, length).toString("utf8", 0, length);
  }

  /** Gives the bytes at an offset until the next call: as many as asked for, up to the end of the window. */
  #at(offset: number, least: number): Buffer {
    const end = this.#from + this.#filled;
    const size = Math.min(least, this.length - offset);
    if (offset >= this.#from && offset + size <= end) {
      return this.#window.subarray(offset - this.#from, this.#filled);
    }
    const isNext = offset >= this.#from && offset <= end && this.#filled > 0;
    this.#ahead = isNext ? Math.min(2 * this.#ahead, mostBytes) : leastBytes;
    const kept = isNext ? this.#window.subarray(offset - this.#from, this.#filled) : none;
    const wanted = Math.min(Math.max(size, kept.length + this.#ahead), this.length - offset);
    // What is larger is read for one use.
    const isKept = wanted <= 2 * mostBytes;
    const target = isKept && wanted <= this.#window.length ? this.#window : Buffer.allocUnsafeSlow(wanted);
    kept.copy(target);
    const bytes = target.subarray(0, wanted);
    const filled = kept.length + this.#read(bytes.subarray(kept.length), offset + kept.length);
    if (isKept) [this.#window, this.#from, this.#filled] = [target, offset, filled];
    return bytes.subarray(0, filled);
  }

  #read(target: Buffer, position: number): number {
    let filled = 0;
    while (filled < target.length) {
      const count = this.readAt(this.fd, target.subarray(filled), position + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }
}
