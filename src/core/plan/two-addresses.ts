import type { Action } from "../../generated/plan.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { idsOf } from "../kind/identity.js";
import { bare, say } from "../finding/said.js";
import { otherOwner, type Planning } from "./planning.js";
import type { Lock } from "../state/lock.js";
import { pendingAdoption } from "./adoption.js";

/** Refuses to create what the merge of two locks has kept at another address. */
export function checkMerged(actions: readonly Action[], { fleet, lock, options }: Planning): Finding[] {
  const { environment } = fleet.settings;
  const created = actions.filter(
    ({ action, address }) => action === "create" && !options.replace.has(address),
  );
  if (created.length === 0) return [];
  const isNew = new Set(created.map(({ address }) => address));
  return Object.entries(lock.resources).flatMap(([other, entry]) =>
    (entry.merged_from ?? []).flatMap((address) => {
      const resource = isNew.has(address) ? fleet.resources.get(address) : undefined;
      // What the object has left by a rename is free.
      if (
        !resource ||
        entry.moved_from?.includes(address) ||
        pendingAdoption(resource, environment, undefined)
      )
        return [];
      const ids = idsOf(entry);
      const message = say`the object of ${{ address }} (${bare({ ids: [...ids] }, ids.join(", "))}) belongs to ${{ other }} since two locks were merged, and the plan would create a second one`;
      const hint = `an object can have only one address: remove one of the two documents, and write \`moved_from: ${other}\` in this one if it stays; for a second object, \`--replace ${address}\``;
      return [{ ...error("adopt-taken", resource.place(["metadata", "name"]), message, hint), address }];
    }),
  );
}

/** Refuses to change an object that the lock has at two addresses, as after a person has copied an entry. */
export function checkShared(actions: readonly Action[], planning: Planning): Finding[] {
  const { fleet, lock } = planning;
  const changed = actions.filter(({ action }) => action === "update" || action === "replace");
  const ids = new Map(changed.map(({ address }) => [address, idsOf(lock.resources[address] ?? {})] as const));
  if (!hasTwice(lock, new Set([...ids.values()].flat()))) return [];
  return [...ids].flatMap(([address, own]) => {
    const resource = fleet.resources.get(address);
    return own.flatMap((id) => {
      const other = otherOwner(address, id, planning);
      if (!resource || other === undefined) return [];
      const message = say`the lock has the ID ${{ id }} of ${{ address }} at ${{ other }}, too`;
      const hint =
        "an object can have only one address: remove the document of the one that it is not, and apply that first";
      return [{ ...error("adopt-taken", resource.place(["metadata", "name"]), message, hint), address }];
    });
  });
}

// A table of all owners takes longer, and is hardly ever needed.
function hasTwice({ resources }: Lock, ids: ReadonlySet<string>): boolean {
  let found = 0;
  for (const address in resources) for (const id of idsOf(resources[address] ?? {})) if (ids.has(id)) found++;
  return found > ids.size;
}
