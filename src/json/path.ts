import { isObject, type Json } from "./json.js";

/** Keys and indexes from the root of a value to a value in it. */
export type Path = readonly (string | number)[];

/** Gives the value at a path, or undefined if there is none. */
export function valueAt(root: Json | undefined, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of path) {
    if (Array.isArray(value)) value = value[Number(segment)];
    else if (isObject(value) && Object.hasOwn(value, segment)) value = value[segment];
    else return undefined;
  }
  return value;
}

/** Writes a key as a part of the path of a change, such as `default_headers."X Client"`. */
export function pathSegment(key: string): string {
  return /^[\w$-]+$/.test(key) ? key : JSON.stringify(key);
}
