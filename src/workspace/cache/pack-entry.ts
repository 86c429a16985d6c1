import { hash } from "node:crypto";

/**
 * What a pack has under one key: the head, where its texts begin, in bytes from the first text of the file, and a
 * row for each of them, which stand one behind the other.
 */
export type Entry = readonly [key: string, head: unknown, offset: number, rows: string];

// Of a text's digest, as much as tells damage, which is no attack.
const checkDigits = 16;
const lengthDigits = 8;
const rowDigits = lengthDigits + checkDigits;

/** Renders the row of a text: its length in bytes of UTF-8, and a check that tells whether they are still the same. */
export function renderRow(bytes: Uint8Array): string {
  return bytes.length.toString(16).padStart(lengthDigits, "0") + checkOf(bytes);
}

function checkOf(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex").slice(0, checkDigits);
}

/** Gives how many bytes the texts of an entry take. */
export function extentOf([, , , rows]: Entry): number {
  const count = rows.length / rowDigits;
  let sum = 0;
  for (let row = 0; row < count; row++) sum += lengthOf(rows, row);
  return sum;
}

function lengthOf(rows: string, row: number): number {
  return Number.parseInt(rows.slice(row * rowDigits, row * rowDigits + lengthDigits), 16);
}

// A file with `for_each` may have ten thousand resources, and each text is asked for by itself.
const starts = new WeakMap<Entry, Float64Array>();

function startOf(entry: Entry, index: number): number {
  const known = starts.get(entry) ?? startsIn(entry[3]);
  starts.set(entry, known);
  return known[index] ?? 0;
}

function startsIn(rows: string): Float64Array {
  const found = new Float64Array(rows.length / rowDigits);
  for (let row = 1; row < found.length; row++) found[row] = (found[row - 1] ?? 0) + lengthOf(rows, row - 1);
  return found;
}

// Of ten thousand small texts, each buffer would wait for the garbage collector.
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Reads one of an entry's texts by a function that fills a buffer and gives the part that it filled; undefined where there is none or its bytes are not those that were written. */
export function readText(
  entry: Entry,
  index: number,
  read: (offset: number, target: Uint8Array) => Uint8Array,
): string | undefined {
  const [, , offset, rows] = entry;
  if (!Number.isInteger(index) || index < 0 || index * rowDigits >= rows.length) return undefined;
  const length = lengthOf(rows, index);
  const target = length <= scratch.length ? scratch.subarray(0, length) : Buffer.allocUnsafe(length);
  if (read(offset + startOf(entry, index), target).length < length) return undefined;
  if (!rows.startsWith(checkOf(target), index * rowDigits + lengthDigits)) return undefined;
  return target.toString("utf8");
}
