import type { MadeFrom } from "../../generated/lock.js";
import { addTo } from "../../json/groups.js";
import { beginsWith, pathSegment } from "../../json/path.js";
import type { Default } from "./defaults.js";
import { layeredFields } from "./field-origin.js";
import { manifestFile } from "./manifest-file.js";
import type { Resource } from "./resource.js";

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
