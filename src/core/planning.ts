import type { Action } from "../generated/plan.js";
import type { Finding } from "./diagnostic.js";
import { reachable } from "./graph.js";
import type { Hash } from "./json.js";
import type { Request } from "./kind.js";
import type { Scope } from "./narrowing.js";
import { foresee, type Outlook } from "./outlook.js";
import type { PlanOptions } from "./plan-options.js";
import type { Lookup } from "./resolution.js";
import type { Resource } from "./resource.js";
import { entryDigest, type Lock, type LockEntry } from "./lock.js";
import type { Workspace } from "./workspace.js";

/** A plan in the making: what it is made of, and what it foresees so far. */
export interface Planning {
  readonly workspace: Workspace;
  /** The lock as it is. */
  readonly stored: Lock;
  /** The lock with the moves that documents ask for. */
  readonly lock: Lock;
  readonly options: PlanOptions;
  readonly hash: Hash;
  /** By address, filled dependencies first. */
  readonly outlooks: Map<string, Outlook>;
  readonly actions: Map<string, Action>;
  readonly findings: Finding[];
  /** By new address: the one that the entry had before it moved. */
  readonly moves: ReadonlyMap<string, string>;
  /** Which addresses the plan takes in. */
  readonly scope: Scope;
  /** Who refers to whom in what was last applied. */
  readonly appliedDependents: ReadonlyMap<string, readonly string[]>;
}

/** Makes an action of what was decided for a resource. */
export function act(
  action: Action["action"],
  resource: Resource,
  planning: Planning,
  details: Partial<Action>,
): Action {
  const { address, file, lifecycle } = resource;
  const { graph } = planning.workspace;
  const dependencies = graph.dependencies.get(address) ?? [];
  const affected = action === "create" || action === "record" ? [] : reachable([address], graph.dependents);
  const entry = planning.lock.resources[address];
  const from = planning.moves.get(address);
  return {
    address,
    action,
    changes: [],
    affects: [...affected].toSorted(),
    waits_for: dependencies.filter((dependency) => planning.actions.has(dependency)),
    reads: reads([...(from === undefined ? [address] : [from, address]), ...dependencies], planning),
    file,
    ...(from !== undefined && { from }),
    ...(lifecycle.protect === true && { protect: true }),
    ...(entry?.adopted !== undefined && { adopted: entry.adopted }),
    ...(entry?.moved_from !== undefined && { moved_from: entry.moved_from }),
    ...details,
    reasons: [...(from === undefined ? [] : [`moves from ${from}, and keeps its ID`]), ...(details.reasons ?? [])],
  };
}

/** Gives the digests of what the lock has at some addresses. */
export function reads(addresses: readonly string[], { stored, hash }: Planning): Record<string, string | null> {
  return Object.fromEntries(addresses.map((address) => [address, entryDigest(stored, address, hash)]));
}

/** What references stood for when a resource was last applied, and will stand for after the plan. */
export function lookups(entry: LockEntry | undefined, { outlooks }: Planning): { before: Lookup; after: Lookup } {
  return {
    before: (reference) => entry?.references?.[reference.text],
    after: (reference) => foresee(reference, outlooks.get(reference.address)),
  };
}

/** Writes a request as method and path. */
export function requestText({ method, path }: Request): string {
  return `${method} ${path}`;
}

