import type { Budget } from "../../json/budget.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { METHODS } from "./openapi-operation.js";
import { childOf, pathOf, Pointers, replacedIn } from "./openapi-pointer.js";

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
const memberCost = 48;

// A list of servers, one of them, its variables, and what one of these is; as deep as the schemes of security.
const serverDepth = 4;

/** What a reference may say beside it since OpenAPI 3.1. */
const described: ReadonlySet<string> = new Set(["summary", "description"]);

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
 * `$ref`, what a `$ref` leads to and a key beside it says differently where calls and keys go, and paths that do not begin with one slash,
 * which may lead to another host; the first 100.
 */
export function unknownKeys(document: Json, budget: Budget): UnknownKey[] {
  if (!isObject(document) || !isObject(document.paths)) return [];
  const pointers = new Pointers(document, budget);
  const found = new Map<string, UnknownKey>();
  const findTwice = (value: Json | undefined, path: readonly string[], depth = serverDepth): void => {
    if (depth < 0 || typeof value !== "object" || value === null) return;
    const whole = pointers.end(value);
    if (typeof whole !== "object" || whole === null) return;
    // Many references may lead to what has many references.
    if (!budget.spend(memberCost * Object.keys(whole).length)) return;
    for (const key of isObject(value) ? replacedKeys(whole) : []) {
      if (!described.has(key))
        add(found, { path: [...homeOf(value as JsonObject, path, key, pointers), key], sort: "twice" });
    }
    for (const [key, member] of Object.entries(whole)) {
      if (key !== "$ref") findTwice(member, [...path, key], depth - 1);
    }
  };
  const { servers, securityDefinitions, components } = document;
  findTwice(servers, ["servers"]);
  findTwice(securityDefinitions, ["securityDefinitions"]);
  const parts = pointers.end(components ?? null);
  const schemes = ["components", "securitySchemes"];
  if (replacedKeys(parts).includes("securitySchemes")) add(found, { path: schemes, sort: "twice" });
  findTwice(childOf(parts, "securitySchemes"), schemes);
  for (const [path, item] of Object.entries(document.paths)) {
    if (path.startsWith("x-")) continue;
    if (!/^\/(?![\t\n\r]*[/\\])/.test(path)) add(found, { path: ["paths", path], sort: "path" });
    if (!isObject(item)) continue;
    const whole = pointers.follow(item) ?? item;
    const placeOf = (key: string) => [...homeOf(item, ["paths", path], key, pointers), key];
    for (const key of replacedKeys(whole)) add(found, { path: placeOf(key), sort: "twice" });
    findTwice(childOf(whole, "servers"), placeOf("servers"));
    for (const [key, member] of Object.entries(whole)) {
      if (METHODS.has(key) && isObject(member)) {
        const operation = pointers.follow(member) ?? member;
        const ownPlace = (own: string) => [...homeOf(member, placeOf(key), own, pointers), own];
        for (const own of replacedKeys(operation)) add(found, { path: ownPlace(own), sort: "twice" });
        findTwice(operation.servers, ownPlace("servers"));
        findTwice(operation.callbacks, ownPlace("callbacks"), 1);
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
