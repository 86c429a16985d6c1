import { idsOf } from "../kind/identity.js";
import type { Lock } from "./lock.js";

/** The addresses of IDs: from the lock, and from the answers of a run. */
export class KnownIds {
  #owners: Map<string, string> | undefined;

  constructor(private readonly lock: Lock) {}

  /** Records the IDs of an address; gives the other addresses that already have one of them. */
  take(address: string, ids: readonly string[]): string[] {
    const owners = (this.#owners ??= ownersIn(this.lock));
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

function ownersIn({ resources, retired, unknown }: Lock): Map<string, string> {
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
