import { addressesIn, retiredIn } from "../../core/state/known-ids.js";
import { compareText } from "../../json/compare-text.js";
import { idsOf } from "../../core/kind/identity.js";
import { type Cause, causeText } from "../../core/plan/cause.js";
import type { ServiceObject } from "../../core/state/object-users.js";
import type { Lock, LockEntry, RetiredObject, UnknownCreate } from "../../core/state/lock.js";

/** How much is known of a resource; `unknown` where a create's outcome is, `uncertain` where an update's is. */
export type ResourceState = "managed" | "unknown" | "uncertain" | "no-id";

/** What a lock knows of one resource. */
export interface ShownResource {
  readonly address: string;
  readonly state: ResourceState;
  readonly entry?: LockEntry;
  readonly unknown?: UnknownCreate;
}

/** A retired object; without an ID where the service never answered one. */
export interface RetiredRow extends Omit<RetiredObject, "id" | "used_by"> {
  readonly id: string | null;
  /** What uses it now, and how. */
  readonly used_by: readonly string[];
}

/** A lock, with what uses each object of its ledger. */
export interface LockWithUsers {
  readonly lock: Lock;
  readonly usersOf: (object: ServiceObject) => readonly Cause[];
}

/** Lists what a lock manages or tried to create, by address. */
export function listResources(lock: Lock): ShownResource[] {
  return addressesIn(lock)
    .toSorted()
    .flatMap((address) => findResource(lock, address) ?? []);
}

/** Gives what a lock knows of an address, undefined if it knows nothing. */
export function findResource(
  { resources, unknown: creates }: Lock,
  address: string,
): ShownResource | undefined {
  const entry = resources[address];
  const unknown = creates[address];
  if (!entry && !unknown) return undefined;
  return { address, state: stateOf(entry, unknown), ...(entry && { entry }), ...(unknown && { unknown }) };
}

/** Lists the objects that were left behind, by address and ID. */
export function listRetired({ lock, usersOf }: LockWithUsers): RetiredRow[] {
  return retiredIn(lock)
    .map(([id, object]) => {
      const used_by = usersOf({ id, address: object.address }).map(causeText);
      return { ...object, id: id.startsWith(`${object.address}#`) ? null : id, used_by };
    })
    .toSorted((a, b) => compareText(a.address, b.address) || compareText(a.id ?? "", b.id ?? ""));
}

function stateOf(entry: LockEntry | undefined, unknown: UnknownCreate | undefined): ResourceState {
  if (unknown || !entry) return "unknown";
  if (entry.uncertain) return "uncertain";
  return entry.ids || idsOf(entry).length > 0 ? "managed" : "no-id";
}
