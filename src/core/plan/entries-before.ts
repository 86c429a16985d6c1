import { kindOfAddress } from "../kind/kinds.js";
import { idsOf } from "../kind/identity.js";
import type { Resource } from "../resources/resource.js";
import { ownersIn } from "../state/known-ids.js";
import type { Lock, LockEntry } from "../state/lock.js";
import { moveEntries } from "./move.js";

/** Gives the lock entries by which an address is guarded: labels and protection of each of them hold. */
export type EntriesBefore = (address: string) => readonly LockEntry[];

/**
 * Finds entries in the lock, and in that of the commit that a change starts from, by their address and by their IDs: a
 * change may edit the lock as well, and would only have to take a label or a mark out of it.
 */
export function entriesBefore(
  { resources }: Pick<Lock, "resources">,
  base: Lock | undefined,
  documents: ReadonlyMap<string, Resource>,
): EntriesBefore {
  const before = base && moveEntries(base, documents).lock;
  const ownersOf = before && ownersIn(before);
  return (address) => {
    const entry = resources[address];
    const ids = entry && ownersOf ? idsOf(entry).flatMap(ownersOf) : [];
    const kind = kindOfAddress(address);
    const owners = new Set([address, ...ids.filter((owner) => kindOfAddress(owner) === kind)]);
    return [entry, ...[...owners].map((owner) => before?.resources[owner])].filter(
      (each) => each !== undefined,
    );
  };
}
