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

/** Whether a path is another one, or leads to something in it. */
export function beginsWith(path: Path, beginning: Path): boolean {
  return beginning.every((segment, index) => path[index] === segment);
}

/** Writes a key as a part of the path of a change, such as `default_headers."X Client"`. */
export function pathSegment(key: string): string {
  return /^[\w$-]+$/.test(key) ? key : JSON.stringify(key);
}

/** Writes an item's name, such as `operations[GET /orders]`; in quotes where it would seem to end early. */
export function itemSegment(name: string): string {
  return `[${/^"|\]/.test(name) ? JSON.stringify(name) : name}]`;
}
