import type { Json } from "../../json/json.js";

/** The paths of a document whose values are kept whole; of everything else only what leads to them is kept. */
export class KeptPaths {
  #isWhole = false;
  readonly #inside = new Map<string, KeptPaths>();

  /** Whether nothing is kept. */
  get isEmpty(): boolean {
    return !this.#isWhole && this.#inside.size === 0;
  }

  /** Keeps the value at a path; false if it was kept already. */
  add([key, ...rest]: readonly string[]): boolean {
    if (this.#isWhole) return false;
    if (key === undefined) {
      this.#isWhole = true;
      return true;
    }
    const inside = this.#inside.get(key) ?? new KeptPaths();
    this.#inside.set(key, inside);
    return inside.add(rest);
  }

  /** Gives what is kept of a value, in its order; a list of which only some items are kept becomes a mapping by index. */
  prune(value: Json): Json {
    if (this.#isWhole || typeof value !== "object" || value === null) return value;
    const kept = Object.entries(value).flatMap(([key, member]) => {
      const inside = this.#inside.get(key);
      return inside ? [[key, inside.prune(member)] as const] : [];
    });
    return Object.fromEntries(kept);
  }
}
