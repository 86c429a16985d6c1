import type { Action, Plan } from "../../generated/plan.js";
import { lasting } from "../kind/body.js";
import { identityMembers } from "../kind/identity.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { Fleet } from "../resources/fleet.js";
import type { UsedWorkspace } from "../resources/used.js";
import type { Lock, LockEntry } from "../state/lock.js";

/** What others that use a workspace find in it once a plan of it has run. */
export interface EntriesAfterPlan extends Required<Pick<UsedWorkspace, "entries" | "pending">> {}

/** Gives what others that use a workspace find in it once a plan of it has run whole, new IDs as pending. */
export function entriesAfterPlan(
  { actions }: Pick<Plan, "actions">,
  { resources }: Pick<Lock, "resources">,
): EntriesAfterPlan {
  const entries = new Map(Object.entries(resources));
  const pending = new Map<string, LockEntry | undefined>();
  // All at once, for addresses may be swapped.
  for (const { from } of actions) if (from !== undefined) entries.delete(from);
  for (const { address, from = "" } of actions) {
    const moved = resources[from];
    if (moved) entries.set(address, moved);
  }
  for (const action of actions) {
    const { address } = action;
    const before = entries.get(address);
    switch (action.action) {
      case "create":
      case "replace":
      case "adopt":
        pending.set(address, before);
        entries.set(address, { body: bodyOf(action), digest: "" });
        break;
      case "forget":
      case "delete":
        entries.delete(address);
        break;
      case "update":
      case "record":
        if (before) entries.set(address, { ...before, ...toldIds(action), body: bodyOf(action, before) });
        break;
    }
  }
  return { entries: Object.fromEntries(entries), pending };
}

/** Gives the same of a workspace of which the documents alone are known. */
export function entriesOfDocuments({ resources }: Pick<Fleet, "resources">): EntriesAfterPlan {
  const all = [...resources.values()];
  const entries = all.map(
    ({ address, kind, body }) => [address, { body: lasting(body, kind), digest: "" }] as const,
  );
  return {
    entries: Object.fromEntries(entries),
    pending: new Map(all.map(({ address }) => [address, undefined])),
  };
}

function bodyOf({ address, body }: Action, before?: LockEntry): LockEntry["body"] {
  return body ? lasting(body, kindOfAddress(address)) : (before?.body ?? {});
}

// What is only recorded may tell which tool has which ID.
function toldIds({ action, ids, tools }: Action): Partial<LockEntry> {
  return action === "record" && ids ? identityMembers({ ids, ...(tools && { tools }) }) : {};
}
