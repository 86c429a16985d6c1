import { hash } from "node:crypto";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { toUSVString } from "node:util";
import { boundCache } from "./cache-bound.js";
import type { Entry } from "./pack-entry.js";
import { PackFile } from "./pack-file.js";
import { unlessFailing } from "./unless-failing.js";
import { writePack, type Kept } from "./write-pack.js";

/** What was kept under a key: the head as JSON gives it back, and the texts. */
export interface Remembered {
  readonly head: unknown;
  /** Reads the text with this number, from 0; undefined where there is none, or the file was damaged or taken away since. */
  text(index: number): string | undefined;
}

/** What the last run over one workspace and environment knew, by keys of 64 hexadecimal digits; nothing here throws what a file system does. */
export interface Pack {
  /** Gives what an earlier run kept under a key, unless this one kept something there, and marks it as used. */
  get(key: string): Remembered | undefined;
  /** Keeps something for later runs in the place of what was there; a text with lone surrogates cannot be kept, and leaves the key empty. */
  keep(key: string, head: unknown, texts: readonly string[]): void;
  /** Writes what this run used and kept, if it kept more than a hundredth anew or left more than a quarter unused; the second time, nothing happens. */
  save(): void;
  /** Closes the file; what was not saved is lost. */
  close(): void;
}

const day = 86_400_000;

/** Opens the pack of a name, such as a workspace and environment, in a cache folder; packs of another fingerprint, such as a version of the tool, are out of its sight. */
export function openPack(folder: string, name: string, fingerprint: string): Pack {
  return new FolderPack(folder, join(folder, nameOf(fingerprint), `${nameOf(name)}.pack`));
}

/** A pack that remembers nothing. */
export const noPack: Pack = { get: () => undefined, keep() {}, save() {}, close() {} };

function nameOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}

class FolderPack implements Pack {
  readonly #stored: PackFile | undefined;
  readonly #used = new Set<Entry>();
  /** What this run puts in the place of what was stored; undefined where it cannot be kept. */
  readonly #kept = new Map<string, Kept | undefined>();
  #isChanged = false;
  #isOver = false;

  constructor(
    private readonly folder: string,
    private readonly path: string,
  ) {
    this.#stored = unlessFailing(() => PackFile.open(path));
  }

  get(key: string): Remembered | undefined {
    const stored = this.#stored;
    const entry = this.#kept.has(key) ? undefined : stored?.entries.get(key);
    if (!stored || !entry) return undefined;
    this.#used.add(entry);
    return { head: entry[1], text: (index) => unlessFailing(() => stored.text(entry, index)) };
  }

  keep(key: string, head: unknown, texts: readonly string[]): void {
    if (this.#isOver) return;
    const stored = this.#stored?.entries.get(key);
    const kept = texts.every((text) => toUSVString(text) === text) ? { head, texts } : undefined;
    if (stored) this.#used.delete(stored);
    this.#kept.set(key, kept);
    this.#isChanged ||= kept !== undefined || stored !== undefined;
  }

  save(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    unlessFailing(() => {
      if (this.#isWorthWriting()) writePack(this.path, this.#kept, this.#stored, this.#used);
      else if (!this.#touch()) return;
      boundCache(this.folder);
    });
    this.#kept.clear();
  }

  close(): void {
    this.#isOver = true;
    unlessFailing(() => this.#stored?.close());
  }

  // A pack is written as a whole, and of a large one a few files are parsed again sooner than that.
  #isWorthWriting(): boolean {
    const size = this.#stored?.entries.size ?? 0;
    if (this.#isChanged && this.#kept.size * 100 >= size) return true;
    // A run that used nothing ended before it could tell.
    return this.#used.size > 0 && (size - this.#used.size) * 4 > size;
  }

  /** Marks the file as in use, once a day; gives whether it did. */
  #touch(): boolean {
    if (this.#used.size === 0 || !this.#stored || Date.now() - this.#stored.used < day) return false;
    utimesSync(this.path, new Date(), new Date());
    return true;
  }
}
