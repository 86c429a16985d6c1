import { isObject, type Json, type JsonObject } from "./json.js";

/** Merges a patch into a value by RFC 7386: objects by key, null takes a key away, all else is replaced. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, member] of Object.entries(patch)) {
    if (member === null) delete merged[key];
    else merged[key] = mergePatch(Object.hasOwn(merged, key) ? merged[key] : undefined, member);
  }
  return merged;
}

/** Puts back, as null, the keys that a patch took away from a value. */
export function restoreRemoved(value: Json, patch: Json): Json {
  if (!isObject(value) || !isObject(patch)) return value;
  const restored: JsonObject = { ...value };
  for (const [key, member] of Object.entries(patch)) {
    if (member === null) restored[key] ??= null;
    else if (Object.hasOwn(value, key)) restored[key] = restoreRemoved(value[key] ?? null, member);
  }
  return restored;
}
