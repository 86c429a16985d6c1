import { createHash, randomBytes, type Hash } from "node:crypto";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { readAt, type PackFile } from "./pack-file.js";
import { headerBytes, renderHeader } from "./pack-header.js";
import { readText, renderIndex, renderText, type Entry } from "./pack-index.js";
import { unlessFailing } from "./unless-failing.js";

const chunkBytes = 4 * 1024 * 1024;

// For packs that nobody closes, because what was written to them is needed for an unknown time.
const forgotten = new FinalizationRegistry<number>((fd) => unlessFailing(() => closeSync(fd)));

/** Writes a pack chunk by chunk into a file beside its place, and puts it there when it is whole; any operation may throw what the file system does. */
export class PackWriter {
  readonly #temporary: string;
  readonly #chunk = Buffer.allocUnsafeSlow(chunkBytes);
  #filled = 0;
  #written = 0;
  #fd: number | undefined;
  #isInPlace = false;
  /** Over the index, once that has begun. */
  #hash: Hash | undefined;

  /** Takes the path of the pack, which ends in `.pack`, and how many bytes it may have. */
  constructor(
    private readonly path: string,
    private readonly limit: number,
  ) {
    this.#temporary = path.replace(/pack$/, `${randomBytes(8).toString("hex")}.tmp`);
  }

  /** How many bytes were taken in. */
  get position(): number {
    return this.#written + this.#filled;
  }

  /** Adds a text, which has no lone surrogates, and gives its row. */
  add(text: string): Buffer {
    const length = Buffer.byteLength(text, "utf8");
    if (length > chunkBytes) {
      const bytes = Buffer.from(text, "utf8");
      this.#push(bytes);
      // So that no text is half in the file, and each can be read from one place.
      this.#flush();
      return renderText(bytes);
    }
    if (this.#filled + length > chunkBytes) this.#flush();
    const bytes = this.#chunk.subarray(this.#filled, this.#filled + length);
    bytes.write(text, "utf8");
    this.#filled += length;
    return renderText(bytes);
  }

  /** Adds a range of the texts of another pack as it is. */
  copy(source: PackFile, offset: number, length: number): void {
    for (let copied = 0; copied < length;) {
      if (this.#filled === chunkBytes) this.#flush();
      const end = Math.min(chunkBytes, this.#filled + length - copied);
      const target = this.#chunk.subarray(this.#filled, end);
      const bytes = source.read(offset + copied, target);
      if (bytes.length < target.length) throw new Error("the pack has become shorter");
      this.#filled = end;
      copied += target.length;
    }
  }

  /** Reads one text of an entry that was added; undefined where it is gone. */
  text(entry: Entry, index: number): string | undefined {
    return readText(entry, index, (offset, target) => this.#read(offset, target));
  }

  /** Writes the index of what was added and puts the pack in its place. */
  finish(entries: readonly Entry[]): void {
    this.#flush();
    const texts = this.#written;
    const hash = createHash("sha256");
    this.#hash = hash;
    for (const piece of renderIndex(entries)) this.#push(piece);
    this.#flush();
    const header = renderHeader({ texts, index: this.#written - texts, digest: hash.digest("hex") });
    this.#write(header, 0);
    renameSync(this.#temporary, this.path);
    this.#isInPlace = true;
  }

  /** Closes the file, and removes it unless it is in its place. */
  close(): void {
    if (this.#fd === undefined) return;
    forgotten.unregister(this);
    closeSync(this.#fd);
    this.#fd = undefined;
    if (!this.#isInPlace) rmSync(this.#temporary, { force: true });
  }

  #read(offset: number, target: Uint8Array): Uint8Array {
    if (offset >= this.#written) {
      const from = offset - this.#written;
      const bytes = this.#chunk.subarray(from, Math.min(from + target.length, this.#filled));
      target.set(bytes);
      return bytes;
    }
    if (this.#fd === undefined) return target.subarray(0, 0);
    return readAt(this.#fd, headerBytes + offset, target);
  }

  #push(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;) {
      if (this.#filled === chunkBytes) this.#flush();
      const part = bytes.subarray(from, from + chunkBytes - this.#filled);
      this.#chunk.set(part, this.#filled);
      this.#filled += part.length;
      from += part.length;
    }
  }

  #flush(): void {
    const bytes = this.#chunk.subarray(0, this.#filled);
    if (headerBytes + this.#written + bytes.length > this.limit) throw new Error("the pack is too large");
    this.#write(bytes, headerBytes + this.#written);
    this.#hash?.update(bytes);
    this.#written += bytes.length;
    this.#filled = 0;
  }

  #write(bytes: Uint8Array, position: number): void {
    if (this.#fd === undefined) {
      this.#fd = this.#open();
      forgotten.register(this, this.#fd, this);
    }
    for (let from = 0; from < bytes.length;) {
      from += writeSync(this.#fd, bytes, from, bytes.length - from, position + from);
    }
  }

  #open(): number {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    return openSync(this.#temporary, "wx+", 0o600);
  }
}
