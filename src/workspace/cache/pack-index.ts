import { hash } from "node:crypto";

/** What a pack has under one key: the head as JSON, where its texts begin, in bytes from the first text of the file, and a row for each, made by `renderText`; they stand one behind the other. */
export interface Entry {
  readonly key: string;
  readonly head: string;
  readonly offset: number;
  readonly texts: Buffer;
}

// The whole of a digest, for what has the same key is taken to be the same.
const keyDigits = 64;
// Of a text's digest, as much as tells damage, which is no attack.
const checkDigits = 16;

const countBytes = 8;
const keyBytes = keyDigits / 2;
const entryBytes = keyBytes + 20;
const checkBytes = checkDigits / 2;
const textBytes = 4 + checkBytes;

/** Renders the row of a text: its length in bytes of UTF-8, and a check that tells whether they are still the same. */
export function renderText(bytes: Uint8Array): Buffer {
  const row = Buffer.allocUnsafe(textBytes);
  row.writeUInt32LE(bytes.length, 0);
  row.write(checkOf(bytes), 4, "hex");
  return row;
}

function checkOf(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex").slice(0, checkDigits);
}

/** Gives how many bytes the first texts of an entry take, or all. */
export function extentOf({ texts }: Entry, count = texts.length / textBytes): number {
  let sum = 0;
  for (let row = 0; row < count; row++) sum += texts.readUInt32LE(row * textBytes);
  return sum;
}

// Of ten thousand small texts, each buffer would wait for the garbage collector.
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Reads one of an entry's texts by a function that fills a buffer and gives the part that it filled; undefined where there is none or its bytes are not those that were written. */
export function readText(
  entry: Entry,
  index: number,
  read: (offset: number, target: Uint8Array) => Uint8Array,
): string | undefined {
  const { offset, texts } = entry;
  const at = index * textBytes;
  if (!Number.isInteger(index) || at < 0 || at >= texts.length) return undefined;
  const length = texts.readUInt32LE(at);
  const target = length <= scratch.length ? scratch.subarray(0, length) : Buffer.allocUnsafe(length);
  if (read(offset + extentOf(entry, index), target).length < target.length) return undefined;
  if (checkOf(target) !== texts.toString("hex", at + 4, at + textBytes)) return undefined;
  return target.toString("utf8");
}

/** Renders entries as the index of a pack, piece by piece: counts, a row for each key, a row for each text, and all heads. */
export function* renderIndex(entries: readonly Entry[]): Generator<Uint8Array> {
  const texts = Buffer.concat(entries.map((entry) => entry.texts));
  const counts = Buffer.alloc(countBytes);
  counts.writeUInt32LE(entries.length, 0);
  counts.writeUInt32LE(texts.length / textBytes, 4);
  yield counts;
  yield renderRows(entries);
  yield texts;
  for (let from = 0; from < entries.length; from += 1000) {
    const heads = entries.slice(from, from + 1000).map(({ head }) => head);
    yield Buffer.from(heads.join(""), "utf8");
  }
}

function renderRows(entries: readonly Entry[]): Buffer {
  const rows = Buffer.alloc(entries.length * entryBytes);
  let [at, head, text] = [0, 0, 0];
  for (const entry of entries) {
    const count = entry.texts.length / textBytes;
    at += rows.write(entry.key, at, keyBytes, "hex");
    at = rows.writeUInt32LE(head, at);
    at = rows.writeUInt32LE(entry.head.length, at);
    at = rows.writeUInt32LE(entry.offset, at);
    at = rows.writeUInt32LE(text, at);
    at = rows.writeUInt32LE(count, at);
    head += entry.head.length;
    text += count;
  }
  return rows;
}

/** The index of a pack, of which a row is decoded when it is asked for. */
export class PackIndex {
  readonly size: number;
  readonly #rows: Buffer;
  readonly #textRows: Buffer;
  readonly #heads: string;
  readonly #keys: string;
  readonly #places = new Map<string, number>();

  /** Takes the bytes of an index that are known to be whole. */
  constructor(bytes: Buffer) {
    this.size = bytes.readUInt32LE(0);
    const textsAt = countBytes + this.size * entryBytes;
    const headsAt = textsAt + bytes.readUInt32LE(4) * textBytes;
    // Copies, so that the bytes of the heads, which are by far the most, can go.
    this.#rows = Buffer.from(bytes.subarray(countBytes, textsAt));
    this.#textRows = Buffer.from(bytes.subarray(textsAt, headsAt));
    this.#heads = bytes.toString("utf8", headsAt);
    this.#keys = this.#rows.toString("hex");
    for (let place = 0; place < this.size; place++) this.#places.set(this.#keyAt(place), place);
  }

  /** Gives the place of a key, counted from 0 in the order of the texts; undefined where it is not known. */
  find(key: string): number | undefined {
    return this.#places.get(key);
  }

  /** Gives the head at a place, as JSON. */
  head(place: number): string {
    const at = place * entryBytes + keyBytes;
    const start = this.#rows.readUInt32LE(at);
    return this.#heads.slice(start, start + this.#rows.readUInt32LE(at + 4));
  }

  /** Gives all that is known of the key at a place. */
  entry(place: number): Entry {
    const at = place * entryBytes + keyBytes;
    const first = this.#rows.readUInt32LE(at + 12) * textBytes;
    const end = first + this.#rows.readUInt32LE(at + 16) * textBytes;
    return {
      key: this.#keyAt(place),
      head: this.head(place),
      offset: this.#rows.readUInt32LE(at + 8),
      texts: this.#textRows.subarray(first, end),
    };
  }

  #keyAt(place: number): string {
    const at = place * entryBytes * 2;
    return this.#keys.slice(at, at + keyDigits);
  }
}
