import { idsOf } from "../kind/identity.js";
import type { Lock } from "./lock.js";
import { addTo } from "../../json/groups.js";
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
  for (const [id, { address }] of Object.entries(retired)) add(address, [id]);
  for (const [address, { ids = [] }] of Object.entries(unknown)) add(address, ids);
  for (const [address, entry] of Object.entries(resources)) add(address, idsOf(entry));
  return owners;
}

/** Tells IDs apart: a service may number the objects of each kind separately, so equal numbers of different kinds mean nothing. */
export function idKey(address: string, id: string): string {
  return /^\d+$/.test(id) ? `${address.slice(0, address.indexOf(":"))}#${id}` : id;
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
