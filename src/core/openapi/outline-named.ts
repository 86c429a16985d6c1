import { compareText } from "../../json/compare-text.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import type { OperationSource } from "./openapi-operation.js";
import { childOf, parsePointer, pointerTo, type Pointers } from "./openapi-pointer.js";
import { OpenApiReach } from "./openapi-reach.js";
import { thingsIn } from "./schema-names.js";
import type { Outline } from "./outline-shape.js";

/** How deep lies what has a digest of its own in an outline, because no `$ref` of an operation leads to it. */
const depths: ReadonlyMap<string, number> = new Map([
  ["components", 3],
  ["definitions", 2],
  ["parameters", 2],
  ["responses", 2],
  ["$defs", 2],
]);

/**
 * Gives what operations mean without a `$ref` that is a pointer to it, such as the subtypes of a discriminator and
 * what has an anchor: pointers to those of the parts in `rest`, the outline of what no pointer leads to.
 */
export function namedParts(
  document: JsonObject,
  sources: readonly OperationSource[],
  rest: JsonObject,
  pointers: Pointers,
): string[] {
  const parts = [...thingsIn(rest, depths)].map(({ path }) => path);
  if (parts.length === 0) return [];
  const items = new Map(sources.map(({ operation, pathItem }) => [operation.path, pathItem]));
  const { kept } = new OpenApiReach(document, items, pointers);
  const named = parts.filter((path) => kept.has(path)).map(pointerTo);
  return named.toSorted(compareText);
}

/** Gives the parts of an outline that some pointers lead to, by pointer; without those that it does not have. */
export function partsOf(outline: Outline, names: readonly string[]): JsonObject {
  const found = names.map((name) => [name, partAt(outline, name)] as const);
  return Object.fromEntries(found.flatMap(([name, part]) => (part === undefined ? [] : [[name, part]])));
}

function partAt(outline: Outline, name: string): Json | undefined {
  return parsePointer(name)?.reduce<Json | undefined>(childOf, outline as JsonObject);
}

/** Gives an outline with the parts that some pointers lead to as another one has them, as far as it has them at all. */
export function withPartsOf(outline: Outline, other: Outline, names: readonly string[]): Outline {
  const parts = Object.entries(partsOf(other, names));
  return parts.reduce<JsonObject>((whole, [name, part]) => replaced(whole, parsePointer(name) ?? [], part), {
    ...outline,
  }) as Outline;
}

function replaced(value: JsonObject, [key, ...rest]: readonly string[], part: Json): JsonObject {
  if (key === undefined || !Object.hasOwn(value, key)) return value;
  const inside = value[key] ?? null;
  if (rest.length === 0) return { ...value, [key]: part };
  return isObject(inside) ? { ...value, [key]: replaced(inside, rest, part) } : value;
}
