import type { Change } from "../../generated/plan.js";
import { canonical, equal, type Hash, type Json } from "../../json/json.js";
import { pointerKeys } from "../../json/json-pointer.js";
import { pathSegment } from "../../json/path.js";
import type { FoundResource } from "./found-objects.js";

/** Gives what the service has beyond documents and has changed since an apply remembered it; nothing if none did. */
export function ownChanges({ entry, sightings }: FoundResource, hash: Hash): Change[] {
  const own = entry.baseline?.own;
  if (!own || sightings.length === 0) return [];
  const now = new Set(sightings.flatMap((sighting) => [...sighting.own.keys()]));
  return [...new Set([...Object.keys(own), ...now])].toSorted().flatMap((pointer): Change[] => {
    const before = Object.hasOwn(own, pointer) ? (own[pointer] as Json) : undefined;
    const values = sightings.map((sighting) => sighting.own.get(pointer) ?? null);
    const after = now.has(pointer) ? (values.find((value) => value !== null) ?? null) : undefined;
    if (before !== undefined && after !== undefined && equal(before, remembered(values, hash))) return [];
    // Of a text, only its digest is remembered.
    const was = typeof before === "string" ? "something else" : before;
    const path = pointerKeys(pointer).map(pathSegment).join(".");
    return [
      { path, ...(was !== undefined && { before: was }), ...(after !== undefined && { after }), own: true },
    ];
  });
}

function remembered(values: readonly Json[], hash: Hash): Json {
  const [value = null] = values;
  if (values.length === 1 && (typeof value === "number" || typeof value === "boolean")) return value;
  return hash(canonical([...values]));
}
