import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { METHODS } from "./openapi-operation.js";
import { childOf, pathOf, replacedIn, type Pointers } from "./openapi-pointer.js";

/**
 * A key of a path, or of `paths`, that a client may take for an operation and that is none here; or one of a path or an
 * operation that stands beside a `$ref` to another value of it.
 */
export interface UnknownKey {
  readonly path: readonly string[];
  readonly sort: "method" | "key" | "path" | "twice";
}

const MAX_KEYS = 100;
const MAX_HOPS = 100;

/** What a path item may say beside its operations. */
const ITEM_KEYS: ReadonlySet<string> = new Set(["$ref", "summary", "description", "servers", "parameters"]);

/** Whether a key of a path item says something that is no operation. */
export function isKnownBesideOperations(key: string): boolean {
  return ITEM_KEYS.has(key) || key.startsWith("x-");
}

/** Whether a client may take a key for a method, in whatever case it is written. */
export function isLikeMethod(key: string): boolean {
  return METHODS.has(key.toLowerCase()) || key === "query" || key === "additionalOperations";
}

/**
 * Finds what a client may take for operations and this version does not: unknown keys of paths, also behind a local
 * `$ref`, what a `$ref` leads to and the key beside it says differently, and paths that do not begin with one slash,
 * which may lead to another host; the first 100.
 */
export function unknownKeys(document: Json, pointers: Pointers): UnknownKey[] {
  if (!isObject(document) || !isObject(document.paths)) return [];
  const found = new Map<string, UnknownKey>();
  for (const [path, item] of Object.entries(document.paths)) {
    if (path.startsWith("x-")) continue;
    if (!/^\/(?![/\\])/.test(path)) add(found, { path: ["paths", path], sort: "path" });
    if (!isObject(item)) continue;
    const whole = pointers.follow(item) ?? item;
    const placeOf = (key: string) => [...homeOf(item, ["paths", path], key, pointers), key];
    for (const key of replacedKeys(whole)) add(found, { path: placeOf(key), sort: "twice" });
    for (const [key, member] of Object.entries(whole)) {
      if (METHODS.has(key) && isObject(member)) {
        for (const own of replacedKeys(pointers.follow(member))) {
          add(found, { path: [...homeOf(member, placeOf(key), own, pointers), own], sort: "twice" });
        }
      }
      if (METHODS.has(key) || isKnownBesideOperations(key)) continue;
      add(found, { path: placeOf(key), sort: METHODS.has(key.toLowerCase()) ? "method" : "key" });
    }
  }
  return [...found.values()].slice(0, MAX_KEYS);
}

function replacedKeys(followed: Json | undefined): string[] {
  const keys = new Set<string>();
  for (let at = replacedIn(followed); at !== undefined; at = replacedIn(at))
    for (const key of Object.keys(at)) if (key !== "$ref") keys.add(key);
  return [...keys];
}

// Many paths may refer to one path item.
function add(found: Map<string, UnknownKey>, key: UnknownKey): void {
  if (found.size < MAX_KEYS) found.set(JSON.stringify(key.path), key);
}

/** Gives the path of the object in a chain of `$ref`s that has a key. */
function homeOf(
  item: JsonObject,
  path: readonly string[],
  key: string,
  pointers: Pointers,
): readonly string[] {
  let [at, home]: [JsonObject, readonly string[]] = [item, path];
  for (let hops = 0; hops < MAX_HOPS && !Object.hasOwn(at, key); hops += 1) {
    const ref = childOf(at, "$ref");
    const place = typeof ref === "string" ? pointers.locate(ref) : undefined;
    if (!place || !isObject(place.value)) break;
    [at, home] = [place.value, pathOf(place)];
  }
  return home;
}
