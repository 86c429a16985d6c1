import { addTo } from "../../json/groups.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { lazy } from "../../json/once.js";
import { childOf, pathOf, valueIn, type Pointers } from "./openapi-pointer.js";

/** The keys that lead to a value of a document. */
export type KeyPath = readonly string[];

/** What is found in the sections of a document by other names than pointers; looked for only when it is needed. */
export class SchemaNames {
  readonly #called = lazy(() => this.#readNames());
  readonly #derived = lazy(() => this.#readDerived());
  readonly #given = new Set<string>();

  constructor(
    private readonly document: JsonObject,
    /** How deep each thing lies in the sections. */
    private readonly depths: ReadonlyMap<string, number>,
    private readonly pointers: Pointers,
  ) {}

  /** Gives what has this anchor, such as `#node`, or `$id`, once: many references may end like many `$id`s. */
  called(reference: string): readonly KeyPath[] {
    const name = reference.startsWith("#") ? reference : lastSegment(reference);
    const found = this.#called().get(name) ?? [];
    this.#called().delete(name);
    return found;
  }

  /** Gives the schemas that are one with a discriminator by `allOf`, each once: its values are their names. */
  subtypesOf(path: KeyPath): readonly KeyPath[] {
    if (!hasDiscriminator(valueIn(this.document, path))) return [];
    const found: KeyPath[] = [];
    const bases = [path];
    for (const base of bases) {
      for (const subtype of this.#derived().get(JSON.stringify(base)) ?? []) {
        const name = JSON.stringify(subtype);
        if (this.#given.has(name)) continue;
        this.#given.add(name);
        found.push(subtype);
        bases.push(subtype);
      }
    }
    return found;
  }

  #readNames(): Map<string, KeyPath[]> {
    const names = new Map<string, KeyPath[]>();
    for (const { path, value } of thingsIn(this.document, this.depths)) {
      const open: Json[] = [value];
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        if (typeof at !== "object" || at === null) continue;
        for (const [key, member] of Object.entries(at)) {
          if (typeof member !== "string") open.push(member);
          else if (key === "$anchor" || key === "$dynamicAnchor") addTo(names, `#${member}`, path);
          else if (key === "$id") addTo(names, lastSegment(member), path);
        }
      }
    }
    return names;
  }

  #readDerived(): Map<string, KeyPath[]> {
    const derived = new Map<string, KeyPath[]>();
    for (const { path, value } of thingsIn(this.document, this.depths)) {
      if (!isObject(value) || !Array.isArray(value.allOf)) continue;
      for (const part of value.allOf) {
        const base =
          isObject(part) && typeof part.$ref === "string" ? this.pointers.locate(part.$ref) : undefined;
        if (base) addTo(derived, JSON.stringify(pathOf(base)), path);
      }
    }
    return derived;
  }
}

/** Gives what lies in the sections of a document, with how deep it lies in each. */
export function* thingsIn(
  document: JsonObject,
  depths: ReadonlyMap<string, number>,
): Generator<{ readonly path: KeyPath; readonly value: Json }> {
  function* inside(value: Json, path: KeyPath, depth: number): ReturnType<typeof thingsIn> {
    if (path.length === depth) yield { path, value };
    else if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) yield* inside(member, [...path, key], depth);
    }
  }
  for (const [section, depth] of depths) {
    const value = childOf(document, section);
    if (value !== undefined) yield* inside(value, [section], depth);
  }
}

function hasDiscriminator(schema: Json | undefined): boolean {
  const discriminator = childOf(schema, "discriminator");
  return typeof discriminator === "string" || isObject(discriminator);
}

// More is kept than needed where two addresses end alike, which does no harm.
function lastSegment(address: string): string {
  const [beforeAnchor = ""] = address.split("#", 1);
  return beforeAnchor.split("/").findLast((segment) => segment !== "") ?? "";
}
