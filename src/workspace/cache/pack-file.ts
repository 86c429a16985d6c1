import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { cacheLimit } from "./cache-bound.js";
import { readText, type Entry } from "./pack-entry.js";
import { readHeader, headerBytes, digestOf } from "./pack-header.js";
import { unlessFailing } from "./unless-failing.js";

// For packs that are never closed, as what was read of them is needed for an unknown time.
const forgotten = new FinalizationRegistry<number>((fd) => unlessFailing(() => closeSync(fd)));

/** A pack that an earlier run wrote, open; it stays what it is though another is put in its place. */
export class PackFile {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly #fd: number;
  #isOpen = true;

  private constructor(
    fd: number,
    entries: readonly Entry[],
    /** When it was last used, in milliseconds since 1970. */
    readonly used: number,
  ) {
    this.#fd = fd;
    this.entries = new Map(entries.map((entry) => [entry[0], entry]));
    forgotten.register(this, fd, this);
  }

  /** Opens a pack and reads its index; undefined where there is none that is whole. */
  static open(path: string): PackFile | undefined {
    // A pipe would keep the process waiting for ever once it is opened.
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
    const fd = openSync(path, "r");
    try {
      const entries = readIndex(fd);
      if (entries) return new PackFile(fd, entries, fstatSync(fd).mtimeMs);
    } catch {
      // Whatever cannot be read is not there.
    }
    closeSync(fd);
    return undefined;
  }

  /** Reads one text of an entry; undefined where it is damaged. */
  text(entry: Entry, index: number): string | undefined {
    return readText(entry, index, (offset, target) => this.read(offset, target));
  }

  /** Reads bytes of the texts, counted from the first text; fewer where the file has become shorter. */
  read(offset: number, target: Uint8Array): Uint8Array {
    if (!this.#isOpen) return target.subarray(0, 0);
    return readAt(this.#fd, headerBytes + offset, target);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    forgotten.unregister(this);
    closeSync(this.#fd);
  }
}

/** Fills a buffer from a place in a file, and gives the part that was filled. */
function readAt(fd: number, position: number, target: Uint8Array): Uint8Array {
  let filled = 0;
  while (filled < target.length) {
    const count = readSync(fd, target, filled, target.length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return target.subarray(0, filled);
}

function readIndex(fd: number): Entry[] | undefined {
  const { size } = fstatSync(fd);
  const header = readHeader(readAt(fd, 0, Buffer.alloc(headerBytes)));
  if (!header || size > cacheLimit || size !== headerBytes + header.texts + header.index) return undefined;
  const bytes = Buffer.allocUnsafeSlow(header.index);
  readAt(fd, headerBytes + header.texts, bytes);
  return digestOf(bytes) === header.digest ? (JSON.parse(bytes.toString("utf8")) as Entry[]) : undefined;
}
