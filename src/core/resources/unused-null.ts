import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { layOver } from "../../json/merge-patch.js";
import type { Layer } from "./layer.js";

/**
 * Leaves out each null that takes nothing away, because the default that it is for is not for this document; `all` is
 * what the defaults give to any document of the kind. A null for which there is no default is kept: it is a value.
 */
export function withoutUnusedNulls(layers: readonly Layer[], all: Json): Layer[] {
  if (!layers.some(({ value }) => hasNull(value, all))) return [...layers];
  let below: Json | undefined;
  return layers.map((layer) => {
    const value = dropUnused(layer.value, below, all);
    below = layOver(below, value);
    return { ...layer, value };
  });
}

function hasNull(value: Json, all: Json): boolean {
  if (!isObject(value) || !isObject(all)) return false;
  return Object.keys(all).some(
    (key) =>
      Object.hasOwn(value, key) && (value[key] === null || hasNull(value[key] ?? null, all[key] ?? null)),
  );
}

function dropUnused(value: Json, below: Json | undefined, all: Json): Json {
  if (!isObject(value) || !isObject(all)) return value;
  const kept: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    const lower = isObject(below) && Object.hasOwn(below, key) ? below[key] : undefined;
    const given = Object.hasOwn(all, key) ? all[key] : undefined;
    if (given === undefined) kept[key] = member;
    else if (member !== null || lower !== undefined) kept[key] = dropUnused(member, lower, given);
  }
  return kept;
}
