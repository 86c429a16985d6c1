import { idsOf } from "../kind/identity.js";
import type { Lock } from "./lock.js";

/** Makes a reader of who has an ID in a lock, which is gone through once, however many are adopted. */
export function ownersIn({ resources }: Pick<Lock, "resources">): (id: string) => readonly string[] {
  let owners: Map<string, string[]> | undefined;
  return (id) => {
    owners ??= indexIds(resources);
    return owners.get(id) ?? [];
  };
}

function indexIds(resources: Lock["resources"]): Map<string, string[]> {
  const owners = new Map<string, string[]>();
  for (const [address, entry] of Object.entries(resources)) {
    for (const id of idsOf(entry)) {
      const list = owners.get(id);
      if (list) list.push(address);
      else owners.set(id, [address]);
    }
  }
  return owners;
}
