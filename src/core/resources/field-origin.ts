import type { Place } from "../finding/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { beginsWith, type Path, pathSegment } from "../../json/path.js";
import { pathText } from "../schema/schema.js";
import type { Layer } from "./layer.js";
import type { Resource } from "./resource.js";
import type { MadeFrom } from "../../generated/lock.js";
import { addTo } from "../../json/groups.js";
import type { Default } from "./defaults.js";
import { manifestFile } from "./manifest-file.js";

/** A field of a resource that comes from a default or a patch, and where it is written. */
export interface FieldOrigin {
  /** Such as `spec.model`. */
  readonly path: string;
  readonly layer: Exclude<Layer["type"], "document">;
  readonly file: string;
  /** From 1; not set if it cannot be found. */
  readonly line?: number;
}

/** Finds the fields of a resource that do not come from its document; a mapping is one field if all of it is of one layer. */
export function fieldOrigins(
  resource: Resource,
  linesOf: (places: readonly Place[]) => readonly (number | undefined)[],
): FieldOrigin[] {
  if (resource.files.length === 1) return [];
  const layered = layeredFields(resource).flatMap(({ layer, ...field }) =>
    layer === "document" ? [] : [{ ...field, layer }],
  );
  const lines = linesOf(layered.map(({ place }) => place));
  return layered.map(({ path, layer, place: { file } }, index) => {
    const line = lines[index];
    return { path: pathText(path), layer, file, ...(line !== undefined && { line }) };
  });
}

/** The place that a value of a document came from. */
export interface ValueSource {
  readonly path: Path;
  readonly place: Place;
  readonly layer: Layer["type"];
}

/** Gives the fields of a resource, each with the layer that it comes from. */
function layeredFields(resource: Resource): ValueSource[] {
  return Object.entries(resource.body).flatMap(([name, value]) =>
    sourcesAt(["spec", name], value, resource, (own, inside) =>
      inside.every(({ layer, place }) => layer === own.layer && isSameLayer(place, own.place)),
    ),
  );
}

/** Gives the places that the values of a written document came from, but for what identifies it. */
export function sourcesOf(resource: Resource, { metadata, spec, lifecycle }: JsonObject): ValueSource[] {
  const parts: [Path, Json | undefined][] = [
    [["metadata", "labels"], isObject(metadata) ? metadata.labels : undefined],
    [["spec"], spec],
    [["lifecycle"], lifecycle],
  ];
  return parts.flatMap(([path, part]) => (part === undefined ? [] : sourcesAt(path, part, resource)));
}

/** Gives the places that values came from: of a list or scalar as a whole, of a mapping where `isOne` says so. */
function sourcesAt(
  path: Path,
  value: Json,
  resource: Resource,
  isOne: (own: ValueSource, inside: readonly ValueSource[]) => boolean = () => false,
): ValueSource[] {
  const own = { path, place: resource.place(path), layer: resource.layerType(path) ?? "document" };
  const [root, field, ...deeper] = path;
  const isWhole = root === "spec" && deeper.length === 0 && resource.kind.outlined.includes(String(field));
  if (isWhole || !isObject(value) || Object.keys(value).length === 0) return [own];
  const inside = Object.entries(value).flatMap(([name, member]) =>
    sourcesAt([...path, name], member, resource, isOne),
  );
  return isOne(own, inside) ? [own] : inside;
}

// Defaults are in one file, each below a path of its own.
function isSameLayer({ file, document, path = [] }: Place, of: Place): boolean {
  return file === of.file && document === of.document && beginsWith(path, of.path ?? []);
}

/** Gives what a resource has from elsewhere; undefined if it has nothing. */
export function madeFrom(resource: Resource, defaults: readonly Default[]): MadeFrom | undefined {
  const key = resource.place([]).each?.key;
  const given = resource.files.includes(manifestFile) ? givenFields(resource, defaults) : undefined;
  if (key === undefined && !given) return undefined;
  return { ...(key !== undefined && { key }), ...(given && { defaults: given }) };
}

function givenFields(resource: Resource, defaults: readonly Default[]): Record<string, string[]> | undefined {
  const given = new Map<string, string[]>();
  for (const { path, layer: type, place } of layeredFields(resource)) {
    if (type !== "default") continue;
    // `spec.defaults[3].spec.…`
    const from = defaults.find(({ layer }) => beginsWith(place.path ?? [], layer.at ?? []));
    if (from) addTo(given, selectorText(from), fieldText(path));
  }
  if (given.size === 0) return undefined;
  return Object.fromEntries([...given].map(([selector, fields]) => [selector, [...fields]]));
}

/** Writes the labels that a default selects, as `KEY=VALUE` with commas; empty where it selects all of its kind. */
export function selectorText({ selector }: Pick<Default, "selector">): string {
  return Object.keys(selector)
    .toSorted()
    .map((name) => `${name}=${selector[name] ?? ""}`)
    .join(",");
}

// As in the path of a change.
function fieldText([, ...path]: readonly (string | number)[]): string {
  return path.map((part) => pathSegment(String(part))).join(".");
}
