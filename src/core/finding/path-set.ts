import type { Path } from "../../json/path.js";

// Most sets are empty, and each document has several.
const none: ReadonlySet<string> = new Set();

/** A set of paths that can tell whether one of them is the beginning of a given path. */
export class PathSet {
  readonly #texts: ReadonlySet<string>;

  constructor(paths: readonly Path[]) {
    this.#texts = paths.length > 0 ? new Set(paths.map((path) => JSON.stringify(path))) : none;
  }

  /** Whether a path itself is in the set. */
  has(path: Path): boolean {
    return this.#texts.size > 0 && this.#texts.has(JSON.stringify(path));
  }

  /** Whether a path, or a part of the document around it, is in the set. */
  covers(path: Path): boolean {
    if (this.#texts.size === 0) return false;
    for (let length = 0; length <= path.length; length++) {
      if (this.#texts.has(JSON.stringify(path.slice(0, length)))) return true;
    }
    return false;
  }
}
