import { hash } from "node:crypto";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { toUSVString } from "node:util";
import { boundCache, cacheLimit } from "./cache-bound.js";
import { PackFile } from "./pack-file.js";
import { extentOf, type Entry } from "./pack-index.js";
import { PackWriter } from "./pack-writer.js";
import { unlessFailing } from "./unless-failing.js";

/** What was kept under a key: the head as JSON gives it back, and the texts. */
export interface Remembered {
  readonly head: unknown;
  /** Reads the text with this number, from 0; undefined where there is none, or the file was damaged or taken away since. */
  text(index: number): string | undefined;
}

/** What the last run over one workspace and environment knew, by keys of 64 hexadecimal digits; nothing here throws what a file system does. */
export interface Pack {
  /** Gives what was kept under a key, by an earlier run or this one, and marks it as used. */
  get(key: string): Remembered | undefined;
  /** Keeps something in the place of what was there, and gives it as it is kept; a text with lone surrogates cannot be kept, and leaves the key empty. */
  keep(key: string, head: unknown, texts: readonly string[]): Remembered | undefined;
  /** Writes what this run used and kept, if it kept more than a hundredth anew or left more than a quarter unused; the second time, nothing happens. */
  save(): void;
  /** Closes the files; what was not saved is lost. */
  close(): void;
}

const day = 86_400_000;

/** Opens the pack of a name, such as a workspace and environment, in a cache folder; packs of another fingerprint, such as a version of the tool, are out of its sight. */
export function openPack(folder: string, name: string, fingerprint: string): Pack {
  return new FolderPack(folder, join(folder, nameOf(fingerprint), `${nameOf(name)}.pack`));
}

/** A pack that remembers nothing. */
export const noPack: Pack = { get: () => undefined, keep: () => undefined, save() {}, close() {} };

function nameOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}

class FolderPack implements Pack {
  readonly #stored: PackFile | undefined;
  readonly #used = new Set<number>();
  /** What this run put in the place of what was stored; undefined where it could not be kept. */
  readonly #kept = new Map<string, Entry | undefined>();
  readonly #writer: PackWriter;
  #isChanged = false;
  #isOver = false;

  constructor(
    private readonly folder: string,
    private readonly path: string,
  ) {
    this.#writer = new PackWriter(path, cacheLimit);
    this.#stored = unlessFailing(() => PackFile.open(path));
  }

  get(key: string): Remembered | undefined {
    if (this.#kept.has(key)) {
      const entry = this.#kept.get(key);
      return entry && new Memory(JSON.parse(entry.head), this.#writer, entry);
    }
    const stored = this.#stored;
    const place = stored?.index.find(key);
    if (!stored || place === undefined) return undefined;
    this.#used.add(place);
    return new Memory(JSON.parse(stored.index.head(place)), stored, place);
  }

  keep(key: string, head: unknown, texts: readonly string[]): Remembered | undefined {
    this.#kept.delete(key);
    this.#kept.set(key, undefined);
    const place = this.#stored?.index.find(key);
    if (place !== undefined) {
      this.#used.delete(place);
      this.#isChanged = true;
    }
    if (!texts.every((text) => toUSVString(text) === text)) return undefined;
    return this.#attempt(() => {
      const offset = this.#writer.position;
      const rows = texts.map((text) => this.#writer.add(text));
      const entry = { key, head: JSON.stringify(head), offset, texts: Buffer.concat(rows) };
      this.#kept.set(key, entry);
      this.#isChanged = true;
      return new Memory(head, this.#writer, entry);
    });
  }

  save(): void {
    if (this.#isOver) return;
    this.#attempt(() => {
      if (this.#isWorthWriting()) this.#write();
      else if (!this.#touch()) return;
      boundCache(this.folder);
    });
    this.#isOver = true;
  }

  close(): void {
    this.#isOver = true;
    unlessFailing(() => this.#stored?.close());
    unlessFailing(() => this.#writer.close());
  }

  // A pack is written as a whole, and of a large one a few files are parsed again sooner than that.
  #isWorthWriting(): boolean {
    const size = this.#stored?.index.size ?? 0;
    if (this.#isChanged && this.#kept.size * 100 >= size) return true;
    // A run that used nothing ended before it could tell.
    return this.#used.size > 0 && (size - this.#used.size) * 4 > size;
  }

  #write(): void {
    const kept = [...this.#kept.values()].filter((entry) => entry !== undefined);
    this.#writer.finish(kept.concat(this.#stored ? this.#copyUsed(this.#stored) : []));
  }

  /** Copies the texts of what was used, those that stand side by side in one go, and gives the entries with their new offsets. */
  #copyUsed(stored: PackFile): Entry[] {
    const run = { from: 0, to: 0 };
    const places = [...this.#used].toSorted((a, b) => a - b);
    const moved = places.map((place) => {
      const entry = stored.index.entry(place);
      if (entry.offset !== run.to) {
        this.#writer.copy(stored, run.from, run.to - run.from);
        run.from = entry.offset;
        run.to = entry.offset;
      }
      const offset = this.#writer.position + run.to - run.from;
      run.to += extentOf(entry);
      return { ...entry, offset };
    });
    this.#writer.copy(stored, run.from, run.to - run.from);
    return moved;
  }

  /** Marks the file as in use, once a day; gives whether it did. */
  #touch(): boolean {
    if (this.#used.size === 0 || !this.#stored || Date.now() - this.#stored.used < day) return false;
    utimesSync(this.path, new Date(), new Date());
    return true;
  }

  #attempt<T>(run: () => T): T | undefined {
    if (this.#isOver) return undefined;
    try {
      return run();
    } catch {
      this.#isOver = true;
      unlessFailing(() => this.#writer.close());
      return undefined;
    }
  }
}

/** What is remembered in a file or a file in the making; `of` says which entry of it. */
class Memory<Of> implements Remembered {
  constructor(
    readonly head: unknown,
    private readonly source: { text(of: Of, index: number): string | undefined },
    private readonly of: Of,
  ) {}

  text(index: number): string | undefined {
    return unlessFailing(() => this.source.text(this.of, index));
  }
}
