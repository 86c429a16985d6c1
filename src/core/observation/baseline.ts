import { hash } from "../../digest.js";
import type { Baseline } from "../../generated/lock.js";
import type { Change } from "../../generated/plan.js";
import { canonical, equal, type Json } from "../../json/json.js";
import { pointerKeys } from "../../json/json-pointer.js";
import { pathSegment } from "../../json/path.js";
import { idsOf } from "../kind/identity.js";
import type { LockEntry } from "../state/lock.js";
import type { Sighting } from "./sighting.js";

/** Gives what is remembered of a read object; of the service's texts only digests. */
export function baselineOf(sightings: readonly Sighting[]): Baseline {
  const own = Object.fromEntries(
    [...pointersOf(sightings)].toSorted().map((pointer) => [pointer, remembered(pointer, sightings)]),
  );
  const hidden = [...new Set(sightings.flatMap(({ missing }) => missing))].toSorted();
  return { own, hidden };
}

/** Gives the service's own members that were not there when the object was first read, by JSON pointer. */
export function addedSince({ own }: Baseline, sightings: readonly Sighting[]): string[] {
  return [...pointersOf(sightings)].filter((pointer) => !Object.hasOwn(own, pointer)).toSorted();
}

/** Gives the service's own members that changed since the first read; of a tool set, all tools are needed to know. */
export function changedSince(entry: LockEntry, sightings: readonly Sighting[]): string[] {
  if (!entry.baseline || sightings.length !== idsOf(entry).length) return [];
  const now = pointersOf(sightings);
  return Object.entries(entry.baseline.own)
    .filter(([pointer, value]) => !now.has(pointer) || !equal(value, remembered(pointer, sightings)))
    .map(([pointer]) => pointer);
}

/** Gives the value of one of the service's own members, as the first object has it that has one. */
export function ownValue(sightings: readonly Sighting[], pointer: string): Json | undefined {
  return sightings.map(({ own }) => own.get(pointer)).find((value) => value !== undefined);
}

function pointersOf(sightings: readonly Sighting[]): Set<string> {
  return new Set(sightings.flatMap(({ own }) => [...own.keys()]));
}

function remembered(pointer: string, sightings: readonly Sighting[]): Json {
  const values = sightings.map(({ own }) => own.get(pointer) ?? null);
  const [value = null] = values;
  if (values.length === 1 && (typeof value === "number" || typeof value === "boolean")) return value;
  return hash(canonical(values));
}

/** Gives what the service has beyond documents and has changed since an apply remembered it; nothing if none did. */
export function ownChanges({
  entry,
  sightings,
}: {
  readonly entry: LockEntry;
  readonly sightings: readonly Sighting[];
}): Change[] {
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
