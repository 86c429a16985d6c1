import type { Place } from "../finding/diagnostic.js";
import { isObject, type Json } from "../../json/json.js";
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
  const layered = layeredFields(resource).flatMap(({ type, ...field }) =>
    type === "document" ? [] : [{ ...field, type }],
  );
  const lines = linesOf(layered.map(({ place }) => place));
  return layered.map(({ path, type, place: { file } }, index) => {
    const line = lines[index];
    return { path: pathText(path), layer: type, file, ...(line !== undefined && { line }) };
  });
}

interface OriginField {
  readonly path: Path;
  readonly type: Layer["type"];
  readonly place: Place;
}

/** Gives the fields of a resource, each with the layer that it comes from. */
function layeredFields(resource: Resource): OriginField[] {
  const { body, kind } = resource;
  return Object.entries(body).flatMap(([name, value]) =>
    fieldsAt(["spec", name], kind.outlined.includes(name) ? null : value, resource),
  );
}

// A list comes from one layer as a whole.
function fieldsAt(path: Path, value: Json, resource: Resource): OriginField[] {
  const own = { path, type: resource.layerType(path) ?? "document", place: resource.place(path) };
  if (!isObject(value) || Object.keys(value).length === 0) return [own];
  const inside = Object.entries(value).flatMap(([name, member]) =>
    fieldsAt([...path, name], member, resource),
  );
  const isOne = inside.every(({ type, place }) => type === own.type && isSameLayer(place, own.place));
  return isOne ? [own] : inside;
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
  for (const { path, type, place } of layeredFields(resource)) {
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
