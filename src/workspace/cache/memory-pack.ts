import type { Pack, Remembered } from "./pack.js";

/** A pack in the memory of this process; after `save` it has what was used or kept since the one before. */
export class MemoryPack implements Pack {
  #stored: ReadonlyMap<string, Remembered> = new Map();
  #used = new Map<string, Remembered>();

  get(key: string): Remembered | undefined {
    const found = this.#used.get(key) ?? this.#stored.get(key);
    if (found) this.#used.set(key, found);
    return found;
  }

  keep(key: string, head: unknown, texts: readonly string[]): void {
    this.#used.set(key, { head, text: (index) => texts[index] });
  }

  save(): void {
    this.#stored = this.#used;
    this.#used = new Map();
  }

  close(): void {
    this.#stored = new Map();
  }
}
