import type { Action } from "../generated/plan.js";
import { buildGraph, reachable } from "./graph.js";
import { idsOf } from "./identity.js";
import type { LockEntry } from "./lock.js";
import { reads, unknownReason, type Planning } from "./planning.js";

/** Decides what is done to what the lock has and no document any more: those that refer to others come first. */
export function forgetMissing(planning: Planning): void {
  const { lock, workspace, appliedDependents, actions, scope } = planning;
  const known = new Set([...Object.keys(lock.resources), ...Object.keys(lock.unknown)]);
  const gone = [...known].filter(
    (address) => !workspace.resources.has(address) && (scope === "all" || scope.has(address)),
  );
  const edges = gone.flatMap((from) => (appliedDependents.get(from) ?? []).map((to) => ({ from, to })));
  for (const address of buildGraph(gone, edges).order) {
    const action = decideMissing(address, planning);
    if (action) actions.set(address, action);
  }
}

function decideMissing(address: string, planning: Planning): Action | undefined {
  const entry = planning.lock.resources[address];
  const unknown = planning.lock.unknown[address];
  if (!unknown) return entry && forget(address, entry, planning);
  const { body, file } = unknown;
  return {
    address,
    action: "unknown",
    changes: [],
    affects: [],
    waits_for: [],
    reads: reads([address], planning),
    body,
    reasons: [unknownReason(unknown), "its document is gone from the workspace"],
    ...(file !== undefined && { file }),
  };
}

function forget(address: string, entry: LockEntry, planning: Planning): Action {
  const { appliedDependents, actions, workspace } = planning;
  const { resources } = workspace;
  const users = appliedDependents.get(address) ?? [];
  const ids = idsOf(entry);
  return {
    address,
    action: "forget",
    reasons: ["its document is gone from the workspace"],
    changes: [],
    affects: [...reachable([address], appliedDependents)].filter((user) => resources.has(user)).toSorted(),
    // Two that were once applied with references to each other must not wait for each other.
    waits_for: users.filter((user) => actions.has(user)),
    reads: reads([address], planning),
    ...(entry.file !== undefined && { file: entry.file }),
    ...(ids.length > 0 && { ids: [...ids] }),
    leaves: entry.ids ? ids.length : 1,
  };
}
