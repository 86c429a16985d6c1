import type { Json } from "./json.js";
import { valueAt, type Path } from "./path.js";

/** Splits a JSON pointer (RFC 6901), such as `/a/0`, into its keys; the first must be preceded by `/`. */
export function pointerKeys(pointer: string): string[] {
  return pointer.split("/").slice(1).map(unescapeKey);
}

/** Gives the first key of a JSON pointer; empty for that of the whole. */
export function firstKey(pointer: string): string {
  return pointerKeys(pointer)[0] ?? "";
}

/** Reads a key as a JSON pointer spells it. */
export function unescapeKey(spelt: string): string {
  return spelt.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Spells a key as a JSON pointer does. */
export function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Writes a path as a JSON pointer. */
export function pointerOf(path: Path): string {
  return path.map((segment) => `/${escapeKey(String(segment))}`).join("");
}

/** Gives the value at a JSON pointer, or undefined. */
export function atPointer(root: Json, pointer: string): Json | undefined {
  return valueAt(root, pointerKeys(pointer));
}

/** Turns a JSON pointer into the path of a value, with numbers for the indexes of lists. */
export function pathOfPointer(root: Json, pointer: string): Path {
  let value: Json | undefined = root;
  return pointerKeys(pointer).map((key) => {
    const step = Array.isArray(value) ? Number(key) : key;
    value = valueAt(value, [key]);
    return step;
  });
}
