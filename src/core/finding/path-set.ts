import type { Path } from "../../json/path.js";

/** Paths, of which it is asked whether one is the beginning of another. */
export class PathSet {
  readonly #texts: ReadonlySet<string>;

  constructor(paths: Iterable<Path>) {
    this.#texts = new Set(Array.from(paths, (path) => JSON.stringify(path)));
  }

  /** Whether a path, or what it is in, is among them. */
  covers(path: Path): boolean {
    if (this.#texts.size === 0) return false;
    for (let length = 0; length <= path.length; length++) {
      if (this.#texts.has(JSON.stringify(path.slice(0, length)))) return true;
    }
    return false;
  }
}
