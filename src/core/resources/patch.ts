import type { Place } from "../finding/diagnostic.js";
import { type Path, valueAt } from "../../json/path.js";
import { isObject, type Json } from "../../json/json.js";
import { mergePatch } from "../../json/merge-patch.js";
import type { Substituted } from "../expression/substituted.js";

/** Merges a substituted patch into a substituted value; references of replaced values are dropped. */
export function mergeSubstituted(target: Substituted, patch: Substituted, root: Path): Substituted {
  const survives = (path: Path) => !replaces(patch.value, path.slice(root.length));
  // A mapping is merged into the included value and keeps the rest of it.
  const isKept = (path: Path) => survives(path) || isObject(valueAt(patch.value, path.slice(root.length)));
  return {
    value: mergePatch(target.value, patch.value),
    uses: [...target.uses.filter(({ path }) => survives(path)), ...patch.uses],
    findings: [...target.findings, ...patch.findings],
    included: [...target.included.filter(isKept), ...patch.included],
    origins: [...target.origins.filter(({ path }) => isKept(path)), ...patch.origins],
    files: new Set([...target.files, ...patch.files]),
    unresolved: [...target.unresolved.filter(survives), ...patch.unresolved],
  };
}

/** One of the documents that are merged; the first is the one that is patched. */
export interface Layer {
  readonly value: Json;
  readonly place: (path: Path) => Place;
}

/** Gives the place of a value in merged documents: in the last one that sets it; for mappings in the first. */
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
    // The value of an expression is deeper than the document.
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
