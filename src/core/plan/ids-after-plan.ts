import type { Action } from "../../generated/plan.js";
import { identityMembers } from "../kind/identity.js";
import type { Resource } from "../resources/resource.js";
import { idInEntry } from "../state/entry-ids.js";
import type { Lock, LockEntry } from "../state/lock.js";
import { cause, type Cause } from "./cause.js";
import type { Fleet } from "../resources/fleet.js";
import { isPending, usedAddress, usedEntry } from "../resources/used.js";
import { isWholeSet, type Reference } from "../expression/reference.js";

/** What references to a resource will stand for once a plan has run. */
export type IdsAfterPlan =
  /** What the lock says. */
  | { readonly type: "kept"; readonly entry: LockEntry }
  /** IDs that are not known yet. */
  | { readonly type: "new" }
  /** Nothing, in this plan. */
  | { readonly type: "unavailable"; readonly cause: Cause };

/** Gives what a reference will stand for: IDs, or for what is new a token that equals no ID. */
export function foresee(
  reference: Reference,
  idsAfter: IdsAfterPlan | undefined,
): string | readonly string[] {
  const ids = idsAfter?.type === "kept" ? idInEntry(idsAfter.entry, reference) : undefined;
  if (ids !== undefined) return ids;
  const token = `\u0000${reference.text}`;
  return isWholeSet(reference) ? [token] : token;
}

/** Gives what references to a resource will stand for after what was decided for it. */
export function idsAfterAction(
  action: Action | undefined,
  resource: Resource,
  isIn: boolean,
  lock: Pick<Lock, "resources">,
): IdsAfterPlan {
  const { address } = resource;
  const entry = lock.resources[address];
  if (!isIn && !entry) return { type: "unavailable", cause: cause("left-out", { address }) };
  switch (action?.action) {
    case "create":
    case "replace":
      return { type: "new" };
    case "adopt": {
      const { ids = [], tools } = action;
      const identity = tools ? { ids, tools } : { id: ids[0] ?? "" };
      return { type: "kept", entry: { ...identityMembers(identity), body: resource.body, digest: "" } };
    }
    case "unknown":
      return { type: "unavailable", cause: cause("dependency-unknown", { address }) };
    case "blocked":
      // What is blocked keeps its object, if it has one.
      if (!entry) return { type: "unavailable", cause: cause("dependency-blocked", { address }) };
  }
  return entry ? { type: "kept", entry } : { type: "new" };
}

/** Gives what references to other workspaces stand for: no plan of this one changes it, but one of theirs may. */
export function* idsElsewhere({ resources, used }: Fleet): Generator<[address: string, ids: IdsAfterPlan]> {
  if (used.size === 0) return;
  for (const { references } of resources.values()) {
    for (const { address } of references) {
      const of = usedAddress(address);
      if (!of) continue;
      const entry = usedEntry(used, address);
      if (isPending(used, address)) yield [address, { type: "new" }];
      else if (entry) yield [address, { type: "kept", entry }];
      else yield [address, { type: "unavailable", cause: cause("not-applied-there", { ...of }) }];
    }
  }
}
