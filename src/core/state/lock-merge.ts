import { idKey } from "../kind/id.js";
import { idsOf } from "../kind/identity.js";
import { equal, type Json } from "../../json/json.js";
import { emptyLock, type Lock, type LockEntry, type UnknownCreate } from "./lock.js";
import { idsIn } from "./known-ids.js";
import { inDoubt } from "./attempts.js";
import { ledgerByKind, ledgerOf, retiredId } from "./ledger.js";
import { deletedKey, deletedMembers } from "./deleted.js";
import { isUnder, joinWrites } from "./lock-writes.js";
import { mergeObjects, objectsOf, placeObjects, type ManagedObject, type Versions } from "./object-merge.js";
import { retiredObjects } from "./retired.js";

/** Merges two locks of one state so that no ID is lost: both updated is uncertain, a second new object retired. */
export function mergeLocks(
  { base, ours, theirs }: Omit<Versions, "base"> & { readonly base?: Lock | undefined },
  write: string,
): Lock {
  const isBefore = base !== undefined && isUnder(base, ours) && isUnder(base, theirs);
  if (base && !isBefore) {
    // In a revert or a cherry-pick git's base is newer than a side: what that side lacks, it has never had.
    if (isUnder(theirs, ours)) return ours;
    if (isUnder(ours, theirs)) return theirs;
  }
  const versions = { base: isBefore ? base : emptyLock(ours, ours.lineage), ours, theirs };
  const written = joinWrites(ours, theirs, write);
  const deleted = mergeDeleted(versions, written.serial);
  const { resources, displaced } = placeObjects(mergeObjects(versions), deleted, versions);
  const { unknown, lost } = mergeUnknown(versions);
  const service = ours.service ?? theirs.service;
  // Without these, no plan could say what has changed since the last apply, such as that a seal is gone.
  const settings = ours.settings ?? theirs.settings;
  const { deleted: _own, deleted_before: _before, ...own } = ours;
  const retired = mergeRetired(versions, resources, [...displaced, ...lost]);
  for (const [key, object] of Object.entries(retired)) {
    if (Object.hasOwn(deleted, deletedKey(object.address, retiredId(key, object)))) delete retired[key];
  }
  return {
    ...own,
    lineage: ours.serial === 0 ? theirs.lineage : ours.lineage,
    ...written,
    ...(service && { service }),
    ...(settings && { settings }),
    resources: reviveDeleted(resources, deleted),
    retired,
    ...deletedMembers(deleted, latest(ours.deleted_before, theirs.deleted_before)),
    unknown,
  };
}

/** Merges what was deleted; what only one side knows is younger than each version of the other. */
function mergeDeleted({ base, ours, theirs }: Versions, serial: number): Record<string, number> {
  const deleted: Record<string, number> = {};
  const all = [base, ours, theirs].map((version) => new Map(Object.entries(version.deleted ?? {})));
  const [before, mine, others] = all as [Map<string, number>, Map<string, number>, Map<string, number>];
  for (const key of new Set([...mine.keys(), ...others.keys()])) {
    const [own, other] = [mine.get(key), others.get(key)];
    if (own !== undefined && other !== undefined) deleted[key] = Math.max(own, other);
    // What a side has no longer was made again with this ID, or is too long ago.
    else if (!before.has(key)) deleted[key] = serial;
  }
  return deleted;
}

function latest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.max(one, other);
}

/** Makes deleted objects that are managed uncertain: the next apply finds out whether they exist. */
function reviveDeleted(
  resources: Readonly<Record<string, LockEntry>>,
  deleted: Record<string, number>,
): Record<string, LockEntry> {
  if (Object.keys(deleted).length === 0) return { ...resources };
  return Object.fromEntries(
    Object.entries(resources).map(([address, entry]) => {
      const keys = idsOf(entry).map((id) => deletedKey(address, id));
      const found = keys.filter((key) => Object.hasOwn(deleted, key));
      for (const key of found) delete deleted[key];
      if (found.length === 0) return [address, entry];
      return [address, inDoubt(entry, [entry])];
    }),
  );
}

function mergeUnknown({ base, ours, theirs }: Versions): {
  readonly unknown: Lock["unknown"];
  readonly lost: readonly ManagedObject[];
} {
  const lost: ManagedObject[] = [];
  const unknown = mergeTables(base.unknown, ours.unknown, theirs.unknown, (mine, other, address) => {
    lost.push({ address, entry: attemptOf(other) });
    return mine;
  });
  return { unknown, lost };
}

// An address can have only one create of unknown outcome; the ledger has the other.
function attemptOf({ body, digest, references }: UnknownCreate): LockEntry {
  return { body, digest, ...(references && { references }) };
}

function mergeTables<Value extends object>(
  before: Readonly<Record<string, Value>>,
  ours: Readonly<Record<string, Value>>,
  theirs: Readonly<Record<string, Value>>,
  settle: (mine: Value, other: Value, key: string) => Value,
): Record<string, Value> {
  const merged: Record<string, Value> = {};
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const [was, mine, other] = [before[key], ours[key], theirs[key]];
    const isChanged = (value: Value | undefined) =>
      !equal(was as Json | undefined, value as Json | undefined);
    const value = !isChanged(other)
      ? mine
      : !isChanged(mine)
        ? other
        : mine && other
          ? settle(mine, other, key)
          : (mine ?? other);
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

function mergeRetired(
  { base, ours, theirs }: Versions,
  resources: Readonly<Record<string, LockEntry>>,
  displaced: readonly ManagedObject[],
): Lock["retired"] {
  const [before, own, others] = [base, ours, theirs].map((side) => ledgerByKind(side.retired)) as [
    Lock["retired"],
    Lock["retired"],
    Lock["retired"],
  ];
  const retired = mergeTables(before, own, others, (mine, other) => {
    const users = [...new Set([...(mine.used_by ?? []), ...(other.used_by ?? [])])];
    return { ...mine, ...(users.length > 0 && { used_by: users }) };
  });
  // However an object came to be left out, its ID stays in the ledger.
  const named = [ours, theirs].flatMap((side) =>
    [...objectsOf(side).values()].filter(({ entry }) => idsOf(entry).length > 0),
  );
  const left = [...displaced, ...named].flatMap(({ address, entry }) =>
    retiredObjects(address, entry, "replaced").map(([id, object]) => [idKey(address, id), object] as const),
  );
  for (const [key, object] of [...Object.entries({ ...others, ...own }), ...left]) {
    retired[key] ??= object;
  }
  for (const { key } of idsIn(resources)) delete retired[key];
  return ledgerOf(retired);
}
