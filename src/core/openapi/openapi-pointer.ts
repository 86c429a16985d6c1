import { hash } from "../../digest.js";
import { escapeKey, unescapeKey } from "../../json/json-pointer.js";
import { oncePer } from "../../json/once.js";
import type { Budget } from "../../json/budget.js";
import { filterMembers, isObject, member, objectOf, type Json, type JsonObject } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { visitTexts } from "../../json/texts.js";

/** A place in a document: the value there, and its path, without detours through `$ref`s. */
export interface PointedValue {
  readonly value: Json;
  readonly parent?: PointedValue;
  readonly token: string;
}

const MAX_HOPS = 100;
const MAX_EXTERNAL_REFERENCES = 100;

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Splits a local `$ref` such as `#/a/b` into its keys; undefined if it is not a JSON pointer. */
export function parsePointer(ref: string): string[] | undefined {
  if (ref === "#") return [];
  if (!ref.startsWith("#/")) return undefined;
  return ref
    .slice(2)
    .split("/")
    .map((token) => unescapeKey(decodePercent(token)));
}

/** Gives the local `$ref` that leads to a place by its keys. */
export function pointerTo(path: readonly string[]): string {
  return `#${path.map((key) => `/${encodeURIComponent(escapeKey(key))}`).join("")}`;
}

/** Gives the member of an object or the item of a list that a key of a pointer names, if there is one. */
export function childOf(value: Json | undefined, token: string): Json | undefined {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  return member(value, token);
}

/** Gives what is at a path of keys, without following any `$ref`. */
export function valueIn(root: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(childOf, root);
}

function refOf(value: Json): string | undefined {
  return isObject(value) && typeof value.$ref === "string" ? value.$ref : undefined;
}

/** How far one pointer was followed. */
interface Walk {
  readonly ref: string;
  readonly tokens: readonly string[];
  next: number;
  place: PointedValue;
  detours: number;
}

const FOLLOWING_COST = 64;

/** The targets of a document's local `$ref`s, each pointer followed once. */
export class Pointers {
  readonly #root: PointedValue;
  readonly #located = new Map<string, PointedValue | undefined>();
  readonly #children = new Map<PointedValue, Map<string, PointedValue>>();

  constructor(
    document: Json,
    private readonly budget: Budget,
  ) {
    this.#root = { value: document, token: "#" };
  }

  /** Finds the target of a local `$ref`, also through others; undefined if it is external, dangling or a circle. */
  locate(ref: string): PointedValue | undefined {
    // Without recursion, because a pointer may pass through one that passes through a further one, and so on.
    const open = new Set<string>();
    const walks: Walk[] = [];
    const begin = (pointer: string): void => {
      const tokens = parsePointer(pointer);
      if (tokens === undefined) return void this.#located.set(pointer, undefined);
      open.add(pointer);
      walks.push({ ref: pointer, tokens, next: 0, place: this.#root, detours: 0 });
    };
    if (!this.#located.has(ref)) begin(ref);
    for (let walk = walks.at(-1); walk !== undefined; walk = walks.at(-1)) {
      const needed = this.#advance(walk);
      if (needed !== undefined && !open.has(needed)) {
        begin(needed);
        continue;
      }
      this.#located.set(
        walk.ref,
        needed === undefined && walk.next === walk.tokens.length ? walk.place : undefined,
      );
      open.delete(walk.ref);
      walks.pop();
    }
    return this.#located.get(ref);
  }

  /** Gives the places that a `$ref` has led to so far. */
  located(): Set<PointedValue> {
    return new Set([...this.#located.values()].filter((place) => place !== undefined));
  }

  /** Follows a pointer as far as possible; gives the pointer that must be located first, if there is one. */
  #advance(walk: Walk): string | undefined {
    for (let token = walk.tokens[walk.next]; token !== undefined; token = walk.tokens[walk.next]) {
      const child = this.#child(walk.place, token);
      if (child !== undefined) {
        walk.place = child;
        walk.next += 1;
        continue;
      }
      const detour = refOf(walk.place.value);
      if (detour === undefined || walk.detours === MAX_HOPS) return undefined;
      if (!this.#located.has(detour)) return detour;
      const target = this.#located.get(detour);
      if (target === undefined) return undefined;
      walk.place = target;
      walk.detours += 1;
    }
    return undefined;
  }

  #child(parent: PointedValue, token: string): PointedValue | undefined {
    const known = this.#children.get(parent) ?? new Map<string, PointedValue>();
    this.#children.set(parent, known);
    const child = known.get(token);
    if (child !== undefined) return child;
    const value = childOf(parent.value, token);
    if (value === undefined) return undefined;
    const place = { value, parent, token };
    known.set(token, place);
    return place;
  }

  /** Follows up to 100 `$ref`s, merged with siblings; what these hide stays under `$ref`, which some clients read. */
  follow(value: Json): JsonObject | undefined {
    const end = this.end(value);
    return isObject(end) && refOf(end) === undefined ? end : undefined;
  }

  /** Gives the end of the local `$ref`s of a value of any type; the value itself if they lead nowhere. */
  end(value: Json): Json {
    if (refOf(value) === undefined) return value;
    const walked = this.#walk(value);
    if (!walked) return value;
    return isObject(walked.end) ? (this.#lay(walked.layers, walked.end) ?? value) : walked.end;
  }

  /** Walks along the `$ref`s of a value, and gathers the siblings of each; undefined if they do not end. */
  #walk(value: Json): { readonly end: Json; readonly layers: readonly JsonObject[] } | undefined {
    let current: Json | undefined = value;
    const layers: JsonObject[] = [];
    for (let hops = 0; hops < MAX_HOPS && current !== undefined; hops += 1) {
      const ref = refOf(current);
      if (ref === undefined || !isObject(current)) return { end: current, layers };
      const members = Object.keys(current).length;
      if (!this.budget.spend(FOLLOWING_COST * members)) return undefined;
      if (members > 1) layers.push(filterMembers(current, (key) => key !== "$ref"));
      current = this.locate(ref)?.value;
    }
    return undefined;
  }

  #lay(layers: readonly JsonObject[], end: JsonObject): JsonObject | undefined {
    // The object itself, if possible: results about it are remembered by its identity.
    if (layers.length === 0) return end;
    const members = Object.entries(end);
    if (!this.budget.spend(FOLLOWING_COST * members.length)) return undefined;
    const whole = new Map(members);
    for (const layer of layers.toReversed()) {
      const replaced: [string, Json][] = [];
      for (const [key, value] of Object.entries(layer)) {
        const other = whole.get(key);
        if (other !== undefined && other !== value) replaced.push([key, other]);
        whole.set(key, value);
      }
      const before = whole.get("$ref");
      if (replaced.length > 0)
        whole.set(
          "$ref",
          Object.fromEntries(before === undefined ? replaced : [...replaced, ["$ref", before]]),
        );
    }
    return objectOf([...whole.keys()], (key) => whole.get(key) ?? null);
  }
}

/** Gives what siblings of `$ref`s took the place of in an object that was followed; undefined if they took none. */
export function replacedIn(followed: Json | undefined): JsonObject | undefined {
  const replaced = childOf(followed, "$ref");
  return isObject(replaced) ? replaced : undefined;
}

/** Gives the keys from the root of the document to a place. */
export function pathOf(place: PointedValue): string[] {
  const path: string[] = [];
  for (let at = place; at.parent !== undefined; at = at.parent) path.push(at.token);
  return path.toReversed();
}

const LONGEST_NAME = 1000;

/** Makes unique names of places: a pointer, or its digest if it is long, so that a long key is not repeated. */
export function buildNames(): (place: PointedValue) => string {
  const nameOf = oncePer(({ parent, token }: PointedValue): string => {
    const pointer = parent === undefined ? "#" : `${nameOf(parent)}/${escapeKey(token)}`;
    return pointer.length > LONGEST_NAME ? hash(pointer) : pointer;
  });
  return nameOf;
}

/** Lists the paths of the `$ref`s of a document that do not begin with `#`, the first 100 in document order. */
export function externalReferences(document: Json): Path[] {
  const found: Path[] = [];
  visitTexts(document, [], (ref, path) => {
    const isExternal = path.at(-1) === "$ref" && !ref.startsWith("#");
    if (isExternal && found.length < MAX_EXTERNAL_REFERENCES) found.push([...path]);
  });
  return found;
}
