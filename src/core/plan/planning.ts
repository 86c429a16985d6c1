import { sentLookup } from "../observation/entry-sighting.js";
import type { Action } from "../../generated/plan.js";
import type { FoundResource } from "../observation/found-objects.js";
import type { Finding } from "../finding/diagnostic.js";
import type { EntriesBefore } from "./entries-before.js";
import type { PlanScope } from "./narrowing.js";
import { foresee, type IdsAfterPlan } from "./ids-after-plan.js";
import type { PlanOptions } from "./plan-options.js";
import type { Lookup } from "../expression/resolution.js";
import type { Resource } from "../resources/resource.js";
import type { Lock, LockEntry } from "../state/lock.js";
import type { Fleet } from "../resources/fleet.js";

/** A plan in the making: what it is made of, and what it foresees so far. */
export interface Planning {
  readonly fleet: Fleet;
  /** The lock as it is. */
  readonly stored: Lock;
  /** The lock with the moves that documents ask for. */
  readonly lock: Lock;
  readonly options: PlanOptions;
  /** Gives the digest of what the lock has at an address, null where it has nothing. */
  readonly entryDigestOf: (address: string) => string | null;
  /** Gives the addresses that have an ID in the lock. */
  readonly ownersOf: (id: string) => readonly string[];
  /** Gives the lock entries by which an address is guarded. */
  readonly entriesBefore: EntriesBefore;
  /** By ID: the address that adopts it in this plan. */
  readonly adopting: Map<string, string>;
  /** Gives the adoption that the entry of a resource has honoured; the emulator knows of none. */
  readonly adoptedOf: (resource: Resource) => LockEntry["adopted"];
  /** By address, filled dependencies first. */
  readonly idsAfterPlan: Map<string, IdsAfterPlan>;
  readonly actions: Map<string, Action>;
  readonly findings: Finding[];
  /** By new address: the one that the entry had before it moved. */
  readonly moves: ReadonlyMap<string, string>;
  /** The addresses whose tools got their IDs by what the manifest says now. */
  readonly settled: ReadonlySet<string>;
  /** What was found in the service, by address; nothing without an observation. */
  readonly found: ReadonlyMap<string, FoundResource>;
  /** Which addresses the plan takes in. */
  readonly scope: PlanScope;
}

/** What references stood for when a resource was last applied, and will stand for after the plan. */
export function lookups(
  entry: LockEntry | undefined,
  { idsAfterPlan }: Planning,
): { before: Lookup; after: Lookup } {
  return {
    before: sentLookup(entry ?? {}),
    after: (reference) => foresee(reference, idsAfterPlan.get(reference.address)),
  };
}
