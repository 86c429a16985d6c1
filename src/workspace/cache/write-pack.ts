import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { cacheLimit } from "./cache-bound.js";
import { extentOf, renderRow, type Entry } from "./pack-entry.js";
import type { PackFile } from "./pack-file.js";
import { digestOf, headerBytes, renderHeader } from "./pack-header.js";

/** What is kept under a key: the head, and texts without lone surrogates. */
export interface Kept {
  readonly head: unknown;
  readonly texts: readonly string[];
}

/**
 * Writes a pack of what was kept and of entries of another pack into a file beside its place, and puts it there
 * when it is whole; throws what the file system does, and leaves nothing then.
 */
export function writePack(
  path: string,
  kept: ReadonlyMap<string, Kept | undefined>,
  stored: PackFile | undefined,
  used: Iterable<Entry>,
  limit = cacheLimit,
): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = path.replace(/pack$/, `${randomBytes(8).toString("hex")}.tmp`);
  const fd = openSync(temporary, "wx", 0o600);
  try {
    const texts = new Writing(fd, limit);
    const entries: Entry[] = [];
    for (const [key, value] of kept) {
      if (!value) continue;
      const bytes = Buffer.from(value.texts.join(""), "utf8");
      entries.push([key, value.head, texts.append(bytes), rowsOf(value.texts, bytes)]);
    }
    for (const entry of used) {
      const [key, head, , rows] = entry;
      entries.push([key, head, texts.append(textsOf(stored, entry)), rows]);
    }
    const index = Buffer.from(JSON.stringify(entries), "utf8");
    const begin = texts.append(index);
    const header = renderHeader({ texts: begin, index: index.length, digest: digestOf(index) });
    texts.write(header, 0);
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw cause;
  } finally {
    closeSync(fd);
  }
}

function rowsOf(texts: readonly string[], bytes: Buffer): string {
  let at = 0;
  const rows = texts.map((text) => {
    const begin = at;
    at += Buffer.byteLength(text, "utf8");
    return renderRow(bytes.subarray(begin, at));
  });
  return rows.join("");
}

function textsOf(stored: PackFile | undefined, entry: Entry): Uint8Array {
  const target = Buffer.allocUnsafe(extentOf(entry));
  const bytes = stored?.read(entry[2], target);
  if (bytes?.length !== target.length) throw new Error("the pack has become shorter");
  return bytes;
}

class Writing {
  #written = 0;

  constructor(
    private readonly fd: number,
    private readonly limit: number,
  ) {}

  /** Writes bytes behind those before; gives where they begin, counted from the end of the header. */
  append(bytes: Uint8Array): number {
    const offset = this.#written;
    if (headerBytes + offset + bytes.length > this.limit) throw new Error("the pack is too large");
    this.write(bytes, headerBytes + offset);
    this.#written += bytes.length;
    return offset;
  }

  write(bytes: Uint8Array, position: number): void {
    for (let from = 0; from < bytes.length;) {
      from += writeSync(this.fd, bytes, from, bytes.length - from, position + from);
    }
  }
}
