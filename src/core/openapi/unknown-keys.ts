import type { Budget } from "../../json/budget.js";
import { equal, isObject, type Json, type JsonObject } from "../../json/json.js";
import { METHODS } from "./openapi-operation.js";
import { childOf, pathOf, Pointers, replacedIn } from "./openapi-pointer.js";

/** A key that a client may take for an operation and that is none here, or that differs beside a `$ref` or another section. */
export interface UnknownKey {
  readonly path: readonly string[];
  readonly sort: "method" | "key" | "path" | "twice" | "scheme";
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

/** Finds the first 100 things that clients may read as operations, or as other calls, and this version does not. */
export function unknownKeys(document: Json, budget: Budget): UnknownKey[] {
  if (!isObject(document) || !isObject(document.paths)) return [];
  const pointers = new Pointers(document, budget);
  const search = new KeySearch(pointers, budget);
  const { servers, securityDefinitions, components } = document;
  search.findTwice(servers, ["servers"]);
  search.findTwice(securityDefinitions, ["securityDefinitions"]);
  const parts = pointers.end(components ?? null);
  const schemes = ["components", "securitySchemes"];
  if (replacedKeys(parts).includes("securitySchemes")) search.add(schemes, "twice");
  search.findTwice(childOf(parts, "securitySchemes"), schemes);
  search.findInBoth(securityDefinitions, childOf(parts, "securitySchemes"));
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.startsWith("x-")) search.lookAtPath(path, item);
  }
  return [...search.found.values()];
}

/** An object as it is written and with its `$ref`s followed, and the path of each key where it is written. */
interface FollowedObject {
  readonly whole: JsonObject;
  readonly placeOf: (key: string) => readonly string[];
}

class KeySearch {
  /** By their paths, for many paths may refer to one path item. */
  readonly found = new Map<string, UnknownKey>();

  constructor(
    private readonly pointers: Pointers,
    private readonly budget: Budget,
  ) {}

  add(path: readonly string[], sort: UnknownKey["sort"]): void {
    if (this.found.size < MAX_KEYS) this.found.set(JSON.stringify(path), { path, sort });
  }

  lookAtPath(path: string, item: Json): void {
    if (!/^\/(?![\t\n\r]*[/\\])/.test(path)) this.add(["paths", path], "path");
    this.#lookAtItem(item, ["paths", path], true);
  }

  // That of a callback has no tools, so that no key of it may be one.
  #lookAtItem(item: Json, path: readonly string[], hasTools: boolean): void {
    if (!isObject(item)) return;
    const { whole, placeOf } = this.#open(item, path);
    if (whole.servers) this.findTwice(whole.servers, placeOf("servers"));
    for (const [key, member] of Object.entries(whole)) {
      if (METHODS.has(key)) this.#lookAtOperation(member, placeOf(key), hasTools);
      else if (hasTools && !isKnownBesideOperations(key))
        this.add(placeOf(key), METHODS.has(key.toLowerCase()) ? "method" : "key");
    }
  }

  #lookAtOperation(operation: Json, path: readonly string[], isTool: boolean): void {
    if (!isObject(operation)) return;
    const { whole, placeOf } = this.#open(operation, path);
    if (whole.servers) this.findTwice(whole.servers, placeOf("servers"));
    if (!whole.callbacks || !isTool) return;
    const at = placeOf("callbacks");
    this.findTwice(whole.callbacks, at, 1);
    for (const [name, callback] of this.#members(whole.callbacks))
      for (const [address, item] of this.#members(callback))
        this.#lookAtItem(item, [...at, name, address], false);
  }

  #members(value: Json): [string, Json][] {
    const whole = this.pointers.end(value);
    const members = isObject(whole) ? Object.entries(whole) : [];
    return this.budget.spend(memberCost * members.length) ? members : [];
  }

  /** Finds the keys of a value and its members that are there beside a `$ref` to another value of them, as deep as said. */
  findTwice(value: Json | undefined, path: readonly string[], depth = serverDepth): void {
    if (depth < 0 || typeof value !== "object" || value === null) return;
    const whole = isObject(value) ? this.#openEnd(value, path) : value;
    // Many references may lead to what has many references.
    if (!whole || !this.budget.spend(memberCost * Object.keys(whole).length)) return;
    for (const [key, member] of Object.entries(whole)) {
      if (key !== "$ref") this.findTwice(member, [...path, key], depth - 1);
    }
  }

  /** Finds the security schemes of Swagger 2.0 that are others among those of later versions. */
  findInBoth(definitions: Json | undefined, schemes: Json | undefined): void {
    const [section, others] = [definitions, schemes].map((each) => this.pointers.end(each ?? null));
    if (!isObject(section) || !isObject(others)) return;
    for (const key of Object.keys(section)) {
      const [here, there] = [section, others].map((each) => this.pointers.end(childOf(each, key) ?? null));
      if (there !== null && !equal(here, there)) this.add(["securityDefinitions", key], "scheme");
    }
  }

  #openEnd(value: JsonObject, path: readonly string[]): object | undefined {
    const end = this.pointers.end(value);
    if (isObject(end)) return this.#open(value, path, described).whole;
    return Array.isArray(end) ? end : undefined;
  }

  #open(written: JsonObject, path: readonly string[], allowed?: ReadonlySet<string>): FollowedObject {
    const whole = this.pointers.follow(written) ?? written;
    const placeOf = (key: string) => [...homeOf(written, path, key, this.pointers), key];
    for (const key of replacedKeys(whole)) if (!allowed?.has(key)) this.add(placeOf(key), "twice");
    return { whole, placeOf };
  }
}

function replacedKeys(followed: Json | undefined): string[] {
  if (!replacedIn(followed)) return [];
  const keys = new Set<string>();
  for (let at = replacedIn(followed); at !== undefined; at = replacedIn(at))
    for (const key of Object.keys(at)) if (key !== "$ref") keys.add(key);
  return [...keys];
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
