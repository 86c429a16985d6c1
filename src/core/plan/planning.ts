import type { OwnersOf } from "../state/known-ids.js";
import { sentLookup } from "../observation/entry-sighting.js";
import type { Action } from "../../generated/plan.js";
import type { FoundResource } from "../observation/found-objects.js";
import type { Finding } from "../finding/diagnostic.js";
import type { EntriesBefore } from "./move.js";
import type { PlanOptions } from "./plan-options.js";
import { noText, type Lookup } from "../expression/resolution.js";
import type { Resource } from "../resources/resource.js";
import type { Lock, LockEntry } from "../state/lock.js";
import type { Fleet } from "../resources/fleet.js";
import type { PlannedBodies } from "../guardrails/judged-change.js";
import type { SecretsNearby } from "../guardrails/secret-places.js";
import type { JsonObject } from "../../json/json.js";
import { identityMembers } from "../kind/identity.js";
import type { Identity } from "../kind/kind.js";
import { idInEntry } from "../state/entry-ids.js";
import { cause, type Cause } from "./cause.js";
import { isPending, usedAddress, usedEntry } from "../resources/used.js";
import { isWholeSet, type Reference } from "../expression/reference.js";

/** Gives what another workspace or environment last sent to an object, by the names that references have there. */
export type SentElsewhere = (address: string, id: string) => LockEntry | undefined;

/** A plan in the making: what it is made of, and what it foresees so far. */
export interface Planning {
  readonly fleet: Fleet;
  /** The lock with the moves that documents ask for. */
  readonly lock: Lock;
  readonly options: PlanOptions;
  /** Gives the digest of what the lock has at an address, null where it has nothing. */
  readonly entryDigestOf: (address: string) => string | null;
  /** Gives the addresses that have an ID in the lock. */
  readonly ownersOf: OwnersOf;
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
  /** What other workspaces had when it was last sent, and have. */
  readonly elsewhere: PlannedBodies;
  /** Gives what others last sent to an object that the plan takes over. */
  readonly sentElsewhere?: SentElsewhere | undefined;
  /** Gives what else the job has the secrets of. */
  readonly nearby?: (() => readonly SecretsNearby[]) | undefined;
  /** The addresses whose tools got their IDs by what the manifest says now. */
  readonly settled: ReadonlySet<string>;
  /** What was found in the service, by address; nothing without an observation. */
  readonly found: ReadonlyMap<string, FoundResource>;
  /** Whether the plan takes an address in. */
  readonly isIn: (address: string) => boolean;
}

/** Finds another address with a document that has an ID in the lock, too, as after an entry was copied by hand. */
export function otherOwner(address: string, id: string, { fleet, ownersOf }: Planning): string | undefined {
  return ownersOf(address, id).find((owner) => owner !== address && fleet.resources.has(owner));
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

/** What references to a resource will stand for once a plan has run. */
export type IdsAfterPlan =
  /** What the lock says. */
  | { readonly type: "kept"; readonly entry: LockEntry }
  /** IDs that are not known yet. */
  | { readonly type: "new" }
  /** Nothing, in this plan. */
  | { readonly type: "unavailable"; readonly cause: Cause };

/** Gives what a reference will stand for: IDs, or for what is new a token that equals no text. */
function foresee(reference: Reference, idsAfter: IdsAfterPlan | undefined): string | readonly string[] {
  const ids = idsAfter?.type === "kept" ? idInEntry(idsAfter.entry, reference) : undefined;
  if (ids !== undefined) return ids;
  const token = noText(reference.text);
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
    case "adopt":
      return { type: "kept", entry: entryOf(action, resource.body) };
    case "unknown":
      return { type: "unavailable", cause: cause("dependency-unknown", { address }) };
    case "blocked":
      // What is blocked keeps its object, if it has one.
      if (!entry) return { type: "unavailable", cause: cause("dependency-blocked", { address }) };
  }
  return entry ? { type: "kept", entry } : { type: "new" };
}

/** Gives the IDs that an action names. */
export function identityOf({ ids = [], tools }: Pick<Action, "ids" | "tools">): Identity {
  const [id] = ids;
  return tools ? { ids, tools } : { ...(id !== undefined && { id }) };
}

/** Gives what references can stand for once an action has recorded the IDs that it names. */
export function entryOf(action: Pick<Action, "ids" | "tools">, body: JsonObject): LockEntry {
  return { ...identityMembers(identityOf(action)), body, digest: "" };
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
