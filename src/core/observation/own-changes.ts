import type { Change } from "../../generated/plan.js";
import { addedSince, changedSince, ownValue } from "./baseline.js";
import type { Json } from "../../json/json.js";
import { pointerKeys } from "../../json/json-pointer.js";
import { pathSegment } from "../../json/path.js";
import type { FoundResource } from "./found-objects.js";

/** Gives what the service has beyond documents and has changed since an apply remembered it; nothing if none did. */
export function ownChanges({ entry, sightings }: Pick<FoundResource, "entry" | "sightings">): Change[] {
  const { baseline } = entry;
  if (!baseline || sightings.length === 0) return [];
  const added = addedSince(baseline, sightings).map((pointer): Change => {
    return { path: pathOf(pointer), after: ownValue(sightings, pointer) ?? null, own: true };
  });
  const changed = changedSince(entry, sightings).flatMap((pointer): Change[] => {
    const before = baseline.own[pointer] as Json;
    const after = ownValue(sightings, pointer);
    // Services say when they last changed an object, and an apply is such a change.
    if (isTime(after)) return [];
    // Of a text, only its digest is remembered.
    const was = typeof before === "string" ? "something else" : before;
    return [{ path: pathOf(pointer), before: was, ...(after !== undefined && { after }), own: true }];
  });
  return [...added, ...changed];
}

function pathOf(pointer: string): string {
  return pointerKeys(pointer).map(pathSegment).join(".");
}

/** Whether a value tells a time, as services say when they last changed an object. */
export function isTime(value: Json | undefined): boolean {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value);
}
