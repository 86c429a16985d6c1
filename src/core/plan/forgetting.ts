import type { Action } from "../../generated/plan.js";
import { affectedBy, withoutGone } from "./affected.js";
import { buildGraph } from "../resources/graph.js";
import type { Fleet } from "../resources/fleet.js";
import { idsOf } from "../kind/identity.js";
import { dependentsIn, type LockEntry } from "../state/lock.js";
import { goneReason as goneFromService } from "./drift.js";
import { reads, unknownReason } from "./action.js";
import type { Planning } from "./planning.js";

/** The references of the last applied state. */
interface Applied {
  readonly usersOf: (address: string) => readonly string[];
  /** The same without those that are gone, which stand for those that refer to them. */
  readonly affectedOf: (address: string) => readonly string[];
}

/** Decides the actions for lock entries without a document: those that refer to others come first. */
export function forgetMissing(planning: Planning): void {
  const { lock, fleet, actions, scope } = planning;
  const gone = [...Object.keys(lock.resources), ...Object.keys(lock.unknown)].filter(
    (address) => !fleet.resources.has(address),
  );
  if (gone.length === 0) return;
  const dependents = dependentsIn(lock);
  const usersOf = (address: string) => dependents.get(address) ?? [];
  const edges = gone.flatMap((from) => usersOf(from).map((to) => ({ from, to })));
  const { order } = buildGraph(gone, edges);
  const applied = { usersOf, affectedOf: withoutGone(order, dependents) };
  for (const address of order) {
    if (scope !== "all" && !scope.has(address)) continue;
    const action = decideMissing(address, applied, planning);
    if (action) actions.set(address, action);
  }
}

function decideMissing(address: string, applied: Applied, planning: Planning): Action | undefined {
  const entry = planning.lock.resources[address];
  const unknown = planning.lock.unknown[address];
  if (!unknown) return entry && forget(address, entry, applied, planning);
  const { body, file } = unknown;
  return {
    address,
    action: "unknown",
    changes: [],
    affects: [],
    waits_for: [],
    reads: reads([address], planning),
    body,
    reasons: [unknownReason(unknown), goneReason(address, planning.fleet)],
    ...(file !== undefined && { file }),
  };
}

function goneReason(address: string, { absent, settings }: Fleet): string {
  if (!absent.has(address)) return "its document is gone from the workspace";
  const { environment } = settings;
  return environment === null
    ? "its `lifecycle.environments` leaves the default environment out"
    : `its \`lifecycle.environments\` does not list ${environment}`;
}

function forget(address: string, entry: LockEntry, applied: Applied, planning: Planning): Action {
  const ids = idsOf(entry);
  const found = planning.found.get(address);
  const gone = found?.gone ?? [];
  const leaves = (entry.ids ? ids.length : 1) - gone.length;
  return {
    address,
    action: "forget",
    reasons: [
      goneReason(address, planning.fleet),
      ...(found && gone.length > 0 ? [goneFromService(found)] : []),
    ],
    changes: [],
    ...affectedBy(address, applied.affectedOf),
    // Two old entries that refer to each other must not wait for each other.
    waits_for: applied.usersOf(address).filter((user) => planning.actions.has(user)),
    reads: reads([address], planning),
    ...(entry.file !== undefined && { file: entry.file }),
    ...(ids.length > 0 && { ids: [...ids] }),
    leaves,
    ...(gone.length > 0 && { gone: [...gone] }),
  };
}
