import type { Path, Place } from "../finding/diagnostic.js";
import { valueAt } from "../document/inspection.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import type { Substituted } from "../expression/substituted.js";

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

/** Merges a substituted patch into a substituted value; what the patch replaces takes its references along. */
export function mergeSubstituted(target: Substituted, patch: Substituted, root: Path): Substituted {
  const survives = (path: Path) => !replaces(patch.value, path.slice(root.length));
  // A mapping is merged into what was included, and leaves the rest of that in its place.
  const isKept = (path: Path) => survives(path) || isObject(valueAt(patch.value, path.slice(root.length)));
  return {
    value: mergePatch(target.value, patch.value),
    uses: [...target.uses.filter(({ path }) => survives(path)), ...patch.uses],
    findings: [...target.findings, ...patch.findings],
    included: [...target.included.filter(isKept), ...patch.included],
    files: new Set([...target.files, ...patch.files]),
    unresolved: [...target.unresolved.filter(survives), ...patch.unresolved],
  };
}

/** One document among those that are laid over each other, the first being the one that is patched. */
export interface Layer {
  readonly value: Json;
  readonly place: (path: Path) => Place;
}

/** Gives where a value of merged documents stands: in the last that sets it, mappings in the first that has them. */
export function placeIn(layers: readonly Layer[], path: Path): Place {
  let found: Layer | undefined;
  for (const layer of layers) {
    const value = lookUp(layer.value, path);
    if (value !== undefined && (found === undefined || !isObject(value))) found = layer;
  }
  const [first] = layers;
  return (found ?? first)?.place(path) ?? { file: "" };
}

function lookUp(root: Json, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of path) {
    if (Array.isArray(value)) value = value[Number(segment)];
    else if (isObject(value)) value = Object.hasOwn(value, segment) ? value[String(segment)] : undefined;
    // What an expression stands for is deeper than the document.
    else return typeof value === "string" ? value : undefined;
  }
  return value;
}

function replaces(patch: Json, path: Path): boolean {
  let value: Json | undefined = patch;
  for (const segment of path) {
    if (!isObject(value)) return true;
    if (!Object.hasOwn(value, segment)) return false;
    value = value[String(segment)];
  }
  return true;
}
