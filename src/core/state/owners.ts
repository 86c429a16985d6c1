import { addTo } from "../../json/groups.js";
import { lazy } from "../../json/once.js";
import { idsOf } from "../kind/identity.js";
import type { Lock } from "./lock.js";

/** Makes a reader of who has an ID in a lock, which is gone through once, however many are adopted. */
export function ownersIn({ resources }: Pick<Lock, "resources">): (id: string) => readonly string[] {
  const owners = lazy(() => {
    const found = new Map<string, string[]>();
    for (const [address, entry] of Object.entries(resources)) {
      for (const id of idsOf(entry)) addTo(found, id, address);
    }
    return found;
  });
  return (id) => owners().get(id) ?? [];
}
