import { sentLookup, sightingsOf } from "./entry-sighting.js";
import { addedSince, ownValue } from "./baseline.js";
import type { Lookup } from "../expression/resolution.js";
import { lasting } from "../kind/body.js";
import { idsOf, toolNames } from "../kind/identity.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { Kind } from "../kind/kind.js";
import { equal, filterMembers, isObject, type Json, type JsonObject } from "../../json/json.js";
import { pointerKeys } from "../../json/json-pointer.js";
import { compareText } from "../../json/compare-text.js";
import type { Lock, LockEntry } from "../state/lock.js";
import { KnownObjects, ReferenceNaming } from "./known-objects.js";
import type { Observation, ObservedObject } from "./observation.js";
import { literal, type Sighting } from "./sighting.js";

/** A managed resource as it was found in the service. */
export interface FoundResource {
  readonly address: string;
  readonly kind: Kind;
  readonly entry: LockEntry;
  /** What it was last sent, with what differs in the service in its place; references are named where they are known. */
  readonly body: JsonObject;
  /** The top-level members that were not there when an apply last read it and were not sent, symbolic as that body. */
  readonly added: JsonObject;
  /** Names the IDs in what else was found of it. */
  readonly naming: ReferenceNaming;
  /** What the references of both stand for. */
  readonly lookup: Lookup;
  /** Its objects that were found: one, or for a tool set one for each tool. */
  readonly sightings: readonly Sighting[];
  /** The IDs of its objects that the service does not have any more. */
  readonly gone: readonly string[];
  /** The reasons why its objects could not be read, one for each. */
  readonly unread: readonly string[];
  /** Of a tool set, the fields in which only some of its tools differ, and the names of these. */
  readonly partly: ReadonlyMap<string, readonly string[]>;
}

/** The managed resources that were looked at. */
export interface FoundResources {
  readonly byAddress: ReadonlyMap<string, FoundResource>;
  /** What was sent and the service does not show, so that it could not be compared. */
  readonly notShown: readonly { readonly kind: Kind; readonly pointer: string; readonly resources: number }[];
}

/** Compares what a lock says with what was observed of the same objects. */
export function findResources(
  { resources }: Pick<Lock, "resources">,
  { objects }: Pick<Observation, "objects">,
): FoundResources {
  const observed = observedById(objects);
  const looked = Object.entries(resources).flatMap(([address, entry]): Looked[] => {
    const kind = kindOfAddress(address);
    const seen = idsOf(entry).flatMap((id) => observed.get(`${kind.name} ${id}`) ?? []);
    const bodies = seen.flatMap(({ id, state, body }): [string, JsonObject][] =>
      state === "found" && isObject(body) ? [[id, body]] : [],
    );
    return seen.length > 0 ? [{ address, kind, entry, seen, bodies: new Map(bodies) }] : [];
  });
  const hidden = hiddenFields(looked);
  const known = new KnownObjects(resources);
  const notShown = new Map<string, { kind: Kind; pointer: string; resources: number }>();
  const byAddress = new Map<string, FoundResource>();
  for (const each of looked) {
    const { kind, entry } = each;
    const notSeen = entry.baseline ? new Set(entry.baseline.hidden) : (hidden.get(kind.name) ?? new Set());
    const found = findOne(each, notSeen, known);
    byAddress.set(each.address, found);
    for (const pointer of new Set(found.sightings.flatMap(({ missing }) => missing))) {
      if (!notSeen.has(pointer)) continue;
      const key = `${kind.name} ${pointer}`;
      const counted = notShown.get(key);
      if (counted) counted.resources++;
      else notShown.set(key, { kind, pointer, resources: 1 });
    }
  }
  return { byAddress, notShown: [...notShown.values()] };
}

interface Looked extends Pick<FoundResource, "address" | "kind" | "entry"> {
  readonly seen: readonly ObservedObject[];
  /** What was found of them, by ID. */
  readonly bodies: ReadonlyMap<string, JsonObject>;
}

// By ID, so that a resource that has moved since is found.
function observedById(objects: Observation["objects"]): Map<string, ObservedObject> {
  const found = new Map<string, ObservedObject>();
  for (const [address, list] of Object.entries(objects)) {
    for (const object of list) found.set(`${kindOfAddress(address).name} ${object.id}`, object);
  }
  return found;
}

function sightings({ kind, entry, bodies }: Looked, hidden: ReadonlySet<string>): readonly Sighting[] {
  return sightingsOf(entry, kind, [...bodies.values()], { hidden });
}

// What is in no answer about any object of a kind, the service does not show.
function hiddenFields(looked: readonly Looked[]): Map<string, Set<string>> {
  const shown = new Set<string>();
  const missing = new Map<string, Set<string>>();
  for (const each of looked) {
    const { name } = each.kind;
    const pointers = missing.get(name) ?? new Set();
    missing.set(name, pointers);
    for (const sighting of sightings(each, new Set())) {
      for (const pointer of sighting.shown) shown.add(`${name} ${pointer}`);
      for (const pointer of sighting.missing) pointers.add(pointer);
    }
  }
  for (const [name, pointers] of missing) {
    for (const pointer of pointers) if (shown.has(`${name} ${pointer}`)) pointers.delete(pointer);
  }
  return missing;
}

function findOne(looked: Looked, hidden: ReadonlySet<string>, objects: KnownObjects): FoundResource {
  const { address, kind, entry, seen, bodies } = looked;
  const found = sightings(looked, hidden);
  const { body, partly } = kind.operations
    ? bodyOfSet(looked, found)
    : { body: found[0]?.body ?? lasting(entry.body, kind), partly: new Map<string, string[]>() };
  const added = addedMembers(entry, found);
  const naming = new ReferenceNaming(objects, entry);
  const whole = naming.name({ ...body, ...added }) as JsonObject;
  return {
    address,
    kind,
    entry,
    body: filterMembers(whole, (field) => !Object.hasOwn(added, field)),
    added: filterMembers(whole, (field) => Object.hasOwn(added, field)),
    naming,
    lookup: (reference) => naming.ids.get(reference.text) ?? sentLookup(entry)(reference),
    sightings: found,
    gone: seen.flatMap(({ id, state }) => (state === "gone" ? [id] : [])),
    unread: seen.flatMap(({ id, state, why }) =>
      state === "gone" || bodies.has(id) ? [] : [why ?? "there was no answer"],
    ),
    partly,
  };
}

// Without a baseline, what somebody added cannot be told from what the service sets itself.
function addedMembers({ baseline }: LockEntry, found: readonly Sighting[]): JsonObject {
  if (!baseline) return {};
  return Object.fromEntries(
    addedSince(baseline, found).flatMap((pointer): [string, Json][] => {
      const [field = "", ...inside] = pointerKeys(pointer);
      const value = ownValue(found, pointer);
      return inside.length > 0 || value === undefined ? [] : [[field, literal(value)]];
    }),
  );
}

// The tools of a set were sent the same; a field is as the first tool has it in which it differs.
function bodyOfSet(
  { kind, entry, bodies }: Looked,
  found: readonly Sighting[],
): { readonly body: JsonObject; readonly partly: Map<string, string[]> } {
  const sent = lasting(entry.body, kind);
  const read = toolNames(entry, [...bodies.keys()]);
  const partly = new Map<string, string[]>();
  const body: [string, Json][] = [];
  for (const [field, value] of Object.entries(sent)) {
    const whole = found.map((each) => each.body[field]);
    const differing = whole.flatMap((each, index) => (equal(each, value) ? [] : [index]));
    const [first] = differing;
    const shown = first === undefined ? value : whole[first];
    if (shown !== undefined) body.push([field, shown]);
    if (differing.length > 0 && differing.length < read.length) {
      partly.set(field, differing.map((index) => read[index] ?? "").toSorted(compareText));
    }
  }
  return { body: Object.fromEntries(body), partly };
}
