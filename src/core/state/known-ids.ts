import { idKey, idOfKey } from "../kind/id.js";
import { idsOf } from "../kind/identity.js";
import type { Lock, RetiredObject } from "./lock.js";
import { addTo, groupBy } from "../../json/groups.js";
import { lazy } from "../../json/once.js";

/** The addresses of IDs: from the lock, and from the answers of a run. */
export class KnownIds {
  #owners: Map<string, string> | undefined;

  constructor(private readonly lock: Lock) {}

  /** Records the IDs of an address; gives the other addresses that already have one of them. */
  take(address: string, ids: readonly string[]): string[] {
    const owners = (this.#owners ??= ownersByKey(this.lock));
    const others = new Set<string>();
    for (const id of ids) {
      const key = idKey(address, id);
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, address);
      else if (owner !== address) others.add(owner);
    }
    return [...others];
  }
}

function ownersByKey({ resources, retired, unknown }: Lock): Map<string, string> {
  const owners = new Map<string, string>();
  const add = (address: string, ids: readonly string[]): void => {
    for (const id of ids) owners.set(idKey(address, id), address);
  };
  for (const [key, { address }] of Object.entries(retired)) owners.set(key, address);
  for (const [address, { ids = [] }] of Object.entries(unknown)) add(address, ids);
  for (const [address, entry] of Object.entries(resources)) add(address, idsOf(entry));
  return owners;
}

/** Lists what a ledger has, by ID. */
export function retiredIn({ retired }: Pick<Lock, "retired">): [id: string, object: RetiredObject][] {
  return Object.entries(retired).map(([key, object]) => [idOfKey(key), object]);
}

/** Gives what a person calls each object of a ledger: its ID, behind its kind where several kinds have that. */
export function retiredNames(lock: Pick<Lock, "retired">): string[] {
  const all = retiredIn(lock);
  const byId = groupBy(all, ([id]) => id);
  return all.map(([id, { address }]) => (byId.get(id)?.length === 1 ? id : kindName(address, id)));
}

/** Gives what a ledger has under a name: an ID, with which several kinds may have an object, or `KIND:ID`. */
export function retiredNamed(
  lock: Pick<Lock, "retired">,
  name: string,
): [id: string, object: RetiredObject][] {
  const all = retiredIn(lock);
  const found = all.filter(([id]) => id === name);
  return found.length > 0 ? found : all.filter(([id, { address }]) => kindName(address, id) === name);
}

function kindName(address: string, id: string): string {
  return `${address.slice(0, address.indexOf(":"))}:${id}`;
}

/** Gives what a ledger has of an object with an address of its kind. */
export function retiredAt(
  { retired }: Pick<Lock, "retired">,
  address: string,
  id: string,
): RetiredObject | undefined {
  const key = idKey(address, id);
  return Object.hasOwn(retired, key) ? retired[key] : undefined;
}

/** Gives the addresses that have the ID of an object at some address. */
export type OwnersOf = (address: string, id: string) => readonly string[];

/** Makes a reader of who has an ID in a lock, which is gone through once, however many are adopted. */
export function ownersIn({ resources }: Pick<Lock, "resources">): OwnersOf {
  const owners = lazy(() => {
    const found = new Map<string, string[]>();
    for (const [address, entry] of Object.entries(resources)) {
      for (const id of idsOf(entry)) addTo(found, idKey(address, id), address);
    }
    return found;
  });
  return (address, id) => owners().get(idKey(address, id)) ?? [];
}
