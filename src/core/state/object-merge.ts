import { idKey } from "../kind/id.js";
import { idsOf } from "../kind/identity.js";
import { equal, type Json } from "../../json/json.js";
import { kindOfAddressIn, type Deployment } from "../kind/deployment.js";
import { deploymentOf } from "../kind/written-operations.js";
import type { Lock, LockEntry } from "./lock.js";
import type { Attempt } from "../../generated/lock.js";
import { inDoubt } from "./attempts.js";
import { deletedKey } from "./deleted.js";

/** Three versions of a lock; an unknown ancestor is empty. */
export interface Versions {
  readonly base: Lock;
  readonly ours: Lock;
  readonly theirs: Lock;
}

/** One object in the service, or the objects of a tool set, and the address where it is managed. */
export interface ManagedObject {
  readonly address: string;
  readonly entry: LockEntry;
}

/** Identifies an object across versions: by its IDs, or if it has none by the body of its create. */
function keyOf({ address, entry }: ManagedObject): string {
  const keys = idsOf(entry).map((id) => idKey(address, id));
  return keys.length > 0 ? JSON.stringify(keys.toSorted()) : `${address}#${entry.digest}`;
}

/** Gives the objects of a lock by what identifies them. */
export function objectsOf({ resources }: Lock): Map<string, ManagedObject> {
  const objects = Object.entries(resources).map(([address, entry]) => ({ address, entry }));
  return new Map(objects.map((object) => [keyOf(object), object]));
}

/** Merges the objects of both sides, wherever they are managed. */
export function mergeObjects({ base, ours, theirs }: Versions): ManagedObject[] {
  const deployment = deploymentIn(ours, theirs);
  const [before, mine, others] = [objectsOf(base), objectsOf(ours), objectsOf(theirs)];
  const keys = new Set([...mine.keys(), ...others.keys()]);
  return [...keys].flatMap((key) => {
    const [was, own, other] = [before.get(key), mine.get(key), others.get(key)];
    // Objects without an ID count as two, unless they existed before both sides.
    if (!was && own && other && idsOf(own.entry).length === 0) return [own, other];
    if (!was && own && other && base.serial > 0) return takenByBoth(own, other, deployment);
    return mergeObject(was, own, other, deployment) ?? [];
  });
}

function mergeObject(
  before: ManagedObject | undefined,
  mine: ManagedObject | undefined,
  other: ManagedObject | undefined,
  deployment: Deployment,
): ManagedObject | undefined {
  if (mine && other) {
    if (before && same(before, other)) return mine;
    return before && same(before, mine) ? other : unite(before, mine, other, deployment);
  }
  const left = mine ?? other;
  if (!before || !left) return left;
  // One side let it go, perhaps after an update; an update by the other side says that it is still wanted.
  return same(before, left) ? undefined : { ...left, entry: doubt(left, [], deployment) };
}

// What was updated under either side's settings can be updated.
function deploymentIn(ours: Lock, theirs: Lock): Deployment {
  const [own, other] = [ours, theirs].map(({ settings }) => settings?.service?.operations ?? {});
  return deploymentOf({ operations: { ...other, ...own } });
}

function same(one: object, other: object): boolean {
  return equal(one as Json, other as Json);
}

// What a side has renamed since then still has the document that the other side added.
function takenByBoth(mine: ManagedObject, other: ManagedObject, deployment: Deployment): ManagedObject {
  const added = [mine.address, other.address];
  const [own, theirs] = [mine, other].map(({ address, entry: { moved_from = [], ...entry } }) => {
    const marks = moved_from.filter((each) => !added.includes(each));
    return { address, entry: { ...entry, ...(marks.length > 0 && { moved_from: marks }) } };
  }) as [ManagedObject, ManagedObject];
  return unite(undefined, own, theirs, deployment);
}

function unite(
  before: ManagedObject | undefined,
  mine: ManagedObject,
  other: ManagedObject,
  deployment: Deployment,
): ManagedObject {
  const address = mine.address === before?.address ? other.address : mine.address;
  const [entry, theirs] = [mine.entry, other.entry];
  const marks = [...new Set([...(entry.moved_from ?? []), ...(theirs.moved_from ?? [])])];
  // What was renamed on one side alone has no second document.
  const former = new Set([address, before?.address, ...marks]);
  const all = [mine, other].flatMap((each) => [...(each.entry.merged_from ?? []), each.address]);
  const merged = [...new Set(all)].filter((each) => !former.has(each));
  const tools = entry.tools ?? theirs.tools;
  const { on_removal, on_replaced, ...rest } = entry;
  const united: LockEntry = {
    ...rest,
    // Deleting is what both must want.
    ...(on_removal && theirs.on_removal && { on_removal }),
    ...(on_replaced && theirs.on_replaced && { on_replaced }),
    ...(tools && { tools }),
    ...((entry.protect === true || theirs.protect === true) && { protect: true }),
    ...(marks.length > 0 && { moved_from: marks }),
    ...(merged.length > 0 && { merged_from: merged }),
  };
  const isSameTold = same(entry.body, theirs.body) && same(entry.references ?? {}, theirs.references ?? {});
  if (isSameTold && entry.uncertain !== true && theirs.uncertain !== true) return { address, entry: united };
  const attempts = [...(theirs.attempted ?? []), theirs];
  return { address, entry: doubt({ address, entry: united }, attempts, deployment) };
}

/** Marks an object to be sent again, if its kind can be updated: its last update is not known. */
function doubt(
  { address, entry }: ManagedObject,
  attempts: readonly Attempt[],
  deployment: Deployment,
): LockEntry {
  const doubted = inDoubt(entry, attempts);
  const fields = [entry, ...(doubted.attempted ?? [])].flatMap(({ body }) => Object.keys(body));
  const kind = kindOfAddressIn(deployment, address);
  const requests = kind.update(entry, [...new Set(fields)], entry.body);
  return requests.length === 0 ? entry : doubted;
}

interface PlacedResources {
  readonly resources: Record<string, LockEntry>;
  /** The objects that a side replaced. */
  readonly displaced: readonly ManagedObject[];
}

/** Gives each address one of the objects that are merged. */
export function placeObjects(
  objects: readonly ManagedObject[],
  deleted: Readonly<Record<string, number>>,
  { base, ours, theirs }: Versions,
): PlacedResources {
  const deployment = deploymentIn(ours, theirs);
  const [old, mine] = [objectsOf(base), objectsOf(ours)];
  const isDeleted = ({ address, entry }: ManagedObject): boolean =>
    idsOf(entry).some((id) => Object.hasOwn(deleted, deletedKey(address, id)));
  // An object made later replaces an earlier one, ours replaces theirs, and any replaces one that was deleted.
  const rank = (object: ManagedObject): number =>
    (isDeleted(object) ? 4 : 0) + (old.has(keyOf(object)) ? 2 : 0) + (mine.has(keyOf(object)) ? 0 : 1);
  const resources: Record<string, LockEntry> = {};
  const displaced: ManagedObject[] = [];
  const holders = new Map<string, string>();
  for (const object of objects.toSorted((one, other) => rank(one) - rank(other))) {
    const { address, entry } = object;
    const keys = idsOf(entry).map((id) => idKey(address, id));
    const sharing = new Set(keys.flatMap((key) => holders.get(key) ?? []));
    if (sharing.size === 0 && resources[address] === undefined) {
      resources[address] = entry;
      for (const key of keys) holders.set(key, address);
      continue;
    }
    displaced.push(object);
    // Sets that share some of their tools.
    const { tools: _tools, ...other } = entry;
    for (const holder of sharing) {
      const kept = resources[holder];
      if (kept === undefined) continue;
      const mine = { address: holder, entry: kept };
      resources[holder] = unite(undefined, mine, { address, entry: other }, deployment).entry;
    }
  }
  return { resources, displaced };
}
