/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** How deep collections of a document, or of data that it includes, may be nested. */
export const depthLimit = 100;

/**
 * Makes a table for names from outside. Without a prototype, so that no such name means something else, and so that
 * thousands of tables with different names do not slow down other objects.
 */
export function emptyTable<Value>(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>;
}

/** Whether a value is a JSON object: not an array, not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Gives an own member of an object, or undefined for any other value. */
export function member(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Reads a value that should be a list: empty if there is none, and any other value is the only item. */
export function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Gives an object with each of its members replaced. */
export function mapMembers(object: JsonObject, change: (member: Json, key: string) => Json): JsonObject {
  // A copy has each member as its own, whatever its name is.
  const mapped = { ...object };
  for (const key in mapped) mapped[key] = change(mapped[key] as Json, key);
  return mapped;
}

/** Gives a list or an object with each of its items or members replaced; any other value as it is. */
export function mapParts(value: Json, change: (part: Json, step: string | number) => Json): Json {
  if (Array.isArray(value)) return value.map(change);
  return isObject(value) ? mapMembers(value, change) : value;
}

/** Gives an object with those of its members that a test takes. */
export function filterMembers(
  object: JsonObject,
  isKept: (key: string, member: Json) => boolean,
): JsonObject {
  const kept = Object.keys(object).filter((key) => isKept(key, object[key] as Json));
  return Object.fromEntries(kept.map((key) => [key, object[key] as Json]));
}

/** Renders a value as JSON with sorted keys, so that equal values give equal texts. */
export function canonical(value: Json): string {
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === "" ? "" : ","}${canonical(item)}`;
    return `[${text}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  for (const key of sortedKeys(value)) {
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonical(value[key] as Json)}`;
  }
  return `{${text}}`;
}

/** Gives the keys of an object, sorted; the few that most have are put in order here, which takes half of the time. */
export function sortedKeys(object: JsonObject): string[] {
  const keys = Object.keys(object);
  if (keys.length > 20) return keys.toSorted();
  for (let next = 1; next < keys.length; next++) {
    const key = keys[next] as string;
    let at = next;
    for (; at > 0 && (keys[at - 1] as string) > key; at--) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
}

/** Whether two values are equal as JSON: key order does not count, item order does. */
export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]))
  );
}

/** Whether a value is not nested deeper than a limit, so that recursion is safe. */
export function isShallow(value: unknown, depth: number): boolean {
  return !Number.isNaN(countKeys(value, depth));
}

/** Counts the keys of all objects in a value; NaN if it is nested deeper than a limit. */
export function countKeys(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (depth === 0) return Number.NaN;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let keys = Array.isArray(value) ? 0 : members.length;
  // Most members are scalars, for which a call would take longer than all else.
  for (const each of members) if (typeof each === "object") keys += countKeys(each, depth - 1);
  return keys;
}
