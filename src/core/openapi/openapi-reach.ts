import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { isLikeMethod } from "./unknown-keys.js";
import { childOf, parsePointer, pathOf, valueIn, type Pointers } from "./openapi-pointer.js";
import { SchemaNames, type KeyPath } from "./schema-names.js";

/** The members of a document that only hold what operations refer to, with how deep each thing lies in them. */
export const SECTIONS: ReadonlyMap<string, number> = new Map([
  ["components", 3],
  ["definitions", 2],
  ["parameters", 2],
  ["responses", 2],
  ["securityDefinitions", 2],
  ["webhooks", 2],
  ["$defs", 2],
]);

/** What path items refer to: by `$ref`, by name as tags and discriminators do, or by any text that is a pointer. */
export class OpenApiReach {
  /** What stays where it is, with what the document says of all operations. */
  readonly kept = new KeptPaths();
  /** What is referred to inside paths or operations that are not picked. */
  readonly moved = new KeptPaths();
  /** The name of the member that `moved` goes to. */
  readonly elsewhere: string;
  /** The items of the list of tags that are used. */
  readonly tags = new Set<Json>();
  /** By `$ref`: the path of its target in the picked document, where that is a different one. */
  readonly renamed = new Map<string, KeyPath>();
  readonly #depths: ReadonlyMap<string, number>;
  readonly #names: SchemaNames;
  readonly #tagsByName: ReadonlyMap<Json, JsonObject>;
  readonly #seen = new Set<Json>();
  readonly #followed = new Set<string>();
  readonly #values: Json[] = [];
  // Kept later, not at once, because chains of subtypes may be long.
  readonly #subtypes: KeyPath[] = [];

  constructor(
    private readonly document: JsonObject,
    private readonly items: ReadonlyMap<string, JsonObject>,
    private readonly pointers: Pointers,
  ) {
    this.elsewhere = freeName(document);
    this.#depths = depthsIn(document);
    this.#names = new SchemaNames(document, this.#depths, pointers);
    this.#tagsByName = tagsByName(document);
    for (const key of Object.keys(document)) if (this.#isOfAll(key)) this.#keep([key]);
    if (document.security !== undefined) this.#keepNamed("security", document.security);
    for (const item of items.values()) this.#values.push(item);
    while (this.#values.length > 0 || this.#subtypes.length > 0) {
      this.#visit(this.#values.pop() ?? null);
      this.#keep(this.#subtypes.pop() ?? []);
    }
  }

  #isOfAll(key: string): boolean {
    const isListOfTags = key === "tags" && Array.isArray(this.document.tags);
    return key !== "paths" && !isListOfTags && !this.#depths.has(key);
  }

  #visit(value: Json): void {
    if (typeof value !== "object" || value === null || this.#seen.has(value)) return;
    this.#seen.add(value);
    for (const [key, member] of Object.entries(value)) {
      if (typeof member !== "string") {
        this.#keepNamed(key, member);
        this.#values.push(member);
      } else if (key === "$ref") this.#follow(member);
      else if (key === "$dynamicRef" || member.startsWith("#/")) this.#mention(member);
    }
  }

  #keepNamed(key: string, value: Json): void {
    const demanded = key === "security" ? this.pointers.end(value) : null;
    if (Array.isArray(demanded)) {
      const demands = demanded.map((each) => this.pointers.end(each)).filter(isObject);
      for (const name of demands.flatMap((schemes) => Object.keys(schemes))) {
        this.#keep(["components", "securitySchemes", name]);
        this.#keep(["securityDefinitions", name]);
        if (name.startsWith("#/")) this.#mention(name);
      }
    } else if (key === "tags" && Array.isArray(value)) {
      for (const name of value) this.#keepTag(name);
    } else if (key === "discriminator" && isObject(value) && isObject(value.mapping)) {
      for (const name of Object.values(value.mapping)) if (typeof name === "string") this.#keepSchema(name);
    }
  }

  #keepTag(name: Json): void {
    let tag = this.#tagsByName.get(name);
    while (tag !== undefined && !this.tags.has(tag)) {
      this.tags.add(tag);
      this.#values.push(tag);
      tag = this.#tagsByName.get(tag.parent ?? null);
    }
  }

  #keepSchema(name: string): void {
    this.#keep(["components", "schemas", name]);
    this.#keep(["definitions", name]);
  }

  #follow(ref: string): void {
    if (this.#followed.has(ref)) return;
    this.#followed.add(ref);
    const place = this.pointers.locate(ref);
    const written = parsePointer(ref) ?? [];
    const path = place === undefined ? [] : pathOf(place);
    if (place === undefined || (written[0] !== "paths" && path[0] !== "paths")) return this.#mention(ref);
    const home = this.#homeOf(path);
    if (home === undefined) return;
    if (path[0] !== "paths") this.#keep(this.#unitOf(path));
    if (home !== path && this.moved.add(path)) this.#values.push(place.value);
    const isSame = home.length === written.length && home.every((key, index) => key === written[index]);
    if (!isSame) this.renamed.set(ref, home);
  }

  /** Gives the path that a place has in the picked document; undefined for the document and all its paths together. */
  #homeOf(path: KeyPath): KeyPath | undefined {
    const [section, key, part] = path;
    if (section !== "paths") return section === undefined ? undefined : path;
    if (key === undefined) return undefined;
    const item = this.items.get(key);
    const isThere =
      part === undefined ? item === valueIn(this.document, path) : Object.hasOwn(item ?? {}, part);
    return item !== undefined && isThere ? path : [this.elsewhere, ...path];
  }

  /** Keeps what a pointer, an anchor or the name of a schema leads to, outside of `paths`. */
  #mention(text: string): void {
    const place = this.pointers.locate(text);
    if (place === undefined) {
      this.#keepSchema(text);
      for (const path of this.#names.called(text)) this.#keep(path);
      return;
    }
    // A pointer may pass through a `$ref`: what it names at first is then needed on the way.
    for (const path of [parsePointer(text) ?? [], pathOf(place)]) {
      if (path[0] !== undefined && path[0] !== "paths") this.#keep(this.#unitOf(path));
    }
  }

  #unitOf(path: KeyPath): KeyPath {
    return path.slice(0, this.#depths.get(path[0] ?? "") ?? 1);
  }

  #keep(path: KeyPath): void {
    const existing = existingPath(this.document, path);
    if (path.length === 0 || existing === undefined || !this.kept.add(existing)) return;
    this.#values.push(valueIn(this.document, existing) ?? null);
    for (const subtype of this.#names.subtypesOf(existing)) this.#subtypes.push(subtype);
  }
}

function depthsIn(document: JsonObject): Map<string, number> {
  const webhooks = Object.entries(document).filter(
    ([key, value]) => key.startsWith("x-") && hasPathItems(value),
  );
  return new Map([...SECTIONS, ...webhooks.map(([key]) => [key, 2] as const)]);
}

// Such as `x-webhooks`, in which OpenAPI 3.0 has what later became `webhooks`.
function hasPathItems(value: Json): boolean {
  const isOperation = ([key, member]: [string, Json]): boolean => isLikeMethod(key) && isObject(member);
  const isPathItem = (item: Json): boolean => isObject(item) && Object.entries(item).some(isOperation);
  return isObject(value) && Object.values(value).some(isPathItem);
}

function freeName(document: JsonObject): string {
  let name = "x-unpicked";
  while (Object.hasOwn(document, name)) name += "-";
  return name;
}

function tagsByName({ tags }: JsonObject): Map<Json, JsonObject> {
  const list = Array.isArray(tags) ? tags.filter(isObject) : [];
  return new Map(list.flatMap((tag) => (typeof tag.name === "string" ? [[tag.name, tag]] : [])));
}

/** Gives a path as far as it leads to a value or to a `$ref` that leads further; undefined if it leads to neither. */
function existingPath(document: JsonObject, path: KeyPath): KeyPath | undefined {
  let value: Json | undefined = document;
  for (const [index, key] of path.entries()) {
    const next = childOf(value, key);
    if (next === undefined)
      return isObject(value) && typeof value.$ref === "string" ? path.slice(0, index) : undefined;
    value = next;
  }
  return path;
}

/** The paths of a document whose values are kept whole; of everything else only what leads to them is kept. */
class KeptPaths {
  #isWhole = false;
  readonly #inside = new Map<string, KeptPaths>();

  get isEmpty(): boolean {
    return !this.#isWhole && this.#inside.size === 0;
  }

  /** Keeps the value at a path; false if it was kept already. */
  add([key, ...rest]: readonly string[]): boolean {
    if (this.#isWhole) return false;
    if (key === undefined) {
      this.#isWhole = true;
      return true;
    }
    const inside = this.#inside.get(key) ?? new KeptPaths();
    this.#inside.set(key, inside);
    return inside.add(rest);
  }

  /** Whether the value at a path is kept whole. */
  has([key, ...rest]: readonly string[]): boolean {
    return this.#isWhole || (key !== undefined && (this.#inside.get(key)?.has(rest) ?? false));
  }

  /** Gives what is kept of a value, in its order; a list of which only some items are kept becomes a mapping by index. */
  prune(value: Json): Json {
    if (this.#isWhole || typeof value !== "object" || value === null) return value;
    const kept = Object.entries(value).flatMap(([key, member]) => {
      const inside = this.#inside.get(key);
      return inside ? [[key, inside.prune(member)] as const] : [];
    });
    return Object.fromEntries(kept);
  }
}
