import type { Place } from "../finding/diagnostic.js";
import type { Document } from "../document/document.js";
import { isObject, mapMembers, type Json } from "../../json/json.js";
import type { Path } from "../../json/path.js";

/** One of the values merged to a resource, the lowest first: defaults, the document, patches of the environment. */
export interface Layer extends Document {
  readonly type: "default" | "document" | "patch";
  /** Where the value is inside the YAML document; not set if it is the whole document. */
  readonly at?: Path;
}

/** Gives the place of a part of a layer, by its path in the merged document. */
export function placeOf({
  file,
  index,
  at = [],
  each,
}: Omit<Layer, "type" | "value">): (path: Path) => Place {
  return (path) => ({
    file,
    document: index,
    path: at.length > 0 ? [...at, ...path] : path,
    ...(each && { each }),
  });
}

/** Gives the layer that set a value last, also by null; of a shared mapping the document's, or else the lowest. */
export function layerAt<Each extends Pick<Layer, "type" | "value">>(
  layers: readonly Each[],
  path: Path,
): Each | undefined {
  let found: Each | undefined;
  for (const layer of layers.toReversed()) {
    if (layer.type === "patch" && isName(path)) continue;
    const value = lookUp(layer.value, path);
    if (value === undefined) continue;
    // A text may be an expression whose value is a mapping.
    const isPart = isObject(value) || (found !== undefined && typeof value === "string");
    if (!isPart) return found ?? layer;
    if (found?.type !== "document") found = layer;
    if (!isObject(value)) return found;
  }
  return found;
}

// With its kind and name a patch says what it patches.
function isName([first, second]: Path): boolean {
  return first === "kind" || (first === "metadata" && second === "name");
}

/** Gives the place of a value of the merged document, in the layer that it comes from. */
export function placeIn(layers: readonly Layer[], path: Path): Place {
  const layer = layerAt(layers, path) ?? layers.find(({ type }) => type === "document");
  return layer ? placeOf(layer)(path) : { file: "" };
}

/** Gives the same layer with the keys of its mappings alone, which is all that layerAt looks at. */
export function outlineLayer(layer: Layer): Layer {
  return { ...layer, value: keysOf(layer.value) };
}

/** Gives a value with the keys of its mappings alone. */
export function keysOf(value: Json): Json {
  if (Array.isArray(value)) return [];
  if (isObject(value)) return mapMembers(value, keysOf);
  return typeof value === "string" ? "" : value;
}

// A list, and the value of an expression, come from one layer with all that is in them.
function lookUp(root: Json, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of path) {
    if (isObject(value)) value = Object.hasOwn(value, segment) ? value[String(segment)] : undefined;
    else return typeof value === "string" || Array.isArray(value) ? value : undefined;
  }
  return value;
}
