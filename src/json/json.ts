/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** How deep collections of a document, or of data that it includes, may be nested. */
export const depthLimit = 100;

/** Makes a table for names from outside: without a prototype, so that none means something else or slows others. */
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

/**
 * Makes an object with its first member. V8 keeps names that are numbers, such as the status 200, as list
 * items with 300 places to look at, unless `JSON.parse` made the object or a member was read-only; the first
 * is faster.
 */
export function objectWith(key: string, value: Json): JsonObject {
  const isNumber = isIndex(key);
  const object = (isNumber ? JSON.parse(`{"${key}":0}`) : {}) as JsonObject;
  if (isNumber) object[key] = value;
  else setMember(object, key, value);
  return object;
}

/** Sets a member of an object, whatever its name is. */
export function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__" && !isIndex(key)) object[key] = value;
  else {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: false });
    Object.defineProperty(object, key, { writable: true });
  }
}

function isIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 48 && first <= 57 && /^\d+$/.test(key);
}

/** Makes an object of its keys and the member of each. */
export function objectOf(keys: readonly string[], memberOf: (key: string) => Json): JsonObject {
  let object: JsonObject | undefined;
  for (const key of keys) {
    if (object === undefined) object = objectWith(key, memberOf(key));
    else setMember(object, key, memberOf(key));
  }
  return object ?? {};
}

/** Gives an object with each of its members replaced. */
export function mapMembers(object: JsonObject, change: (member: Json, key: string) => Json): JsonObject {
  const mapped = copyOf(object);
  for (const key in mapped) mapped[key] = change(mapped[key] as Json, key);
  return mapped;
}

// To copy all at once is faster, but for numbers, which come first.
function copyOf(object: JsonObject): JsonObject {
  for (const first in object) {
    if (isIndex(first)) return filterMembers(object, () => true);
    break;
  }
  return { ...object };
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
  const keys = Object.keys(object).filter((key) => isKept(key, object[key] as Json));
  return objectOf(keys, (key) => object[key] as Json);
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
  let keys = 0;
  // Most members are scalars, for which a call would take longer than all else; a list of the members, too.
  if (Array.isArray(value)) {
    for (const each of value) if (typeof each === "object") keys += countKeys(each, depth - 1);
    return keys;
  }
  for (const key in value) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    keys += typeof member === "object" ? 1 + countKeys(member, depth - 1) : 1;
  }
  return keys;
}
