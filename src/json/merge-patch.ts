import { isObject, setMember, type Json, type JsonObject } from "./json.js";

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

/** Lays a value over one; a null takes away, or stays a value where nothing is below; its own keys come first. */
export function layOver(below: Json | undefined, value: Json): Json {
  if (!isObject(value) || !isObject(below)) return value;
  const merged: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (!Object.hasOwn(below, key)) setMember(merged, key, member);
    else if (member !== null) setMember(merged, key, layOver(below[key], member));
  }
  for (const [key, member] of Object.entries(below)) {
    if (!Object.hasOwn(value, key)) setMember(merged, key, member);
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
