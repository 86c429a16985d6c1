import type { Action } from "../generated/plan.js";
import { honouredAdoption, type Adoption } from "./adoption.js";
import type { Finding } from "./diagnostic.js";
import { reachable } from "./graph.js";
import type { Hash } from "./json.js";
import type { Request } from "./kind.js";
import { movedFrom } from "./move.js";
import type { Scope } from "./narrowing.js";
import { foresee, type Outlook } from "./outlook.js";
import type { PlanOptions } from "./plan-options.js";
import type { Lookup } from "./resolution.js";
import type { Resource } from "./resource.js";
import { entryDigest, type Lock, type LockEntry, type UnknownCreate } from "./lock.js";
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
  const { moves } = planning;
  const moved_from = honouredMoves(action, resource, planning);
  const adopted = adoptedBefore(resource, planning);
  const from = moves.get(address);
  return {
    address,
    action,
    changes: [],
    affects: [...affected].toSorted(),
    waits_for: dependencies.filter((dependency) => planning.actions.has(dependency)),
    reads: reads([address, ...dependencies], planning),
    file,
    ...(from !== undefined && { from }),
    ...(lifecycle.protect === true && { protect: true }),
    ...(adopted !== undefined && { adopted }),
    ...(moved_from.length > 0 && { moved_from: [...moved_from] }),
    ...details,
    reasons: [
      ...(from === undefined ? [] : [`it moves from ${from} and keeps its ID`]),
      ...(details.reasons ?? []),
    ],
  };
}

// A move that found nothing acts no more once the entry is written, for its old name may be used anew.
function honouredMoves(action: Action["action"], resource: Resource, { lock }: Planning): readonly string[] {
  if (action !== "unknown" && action !== "blocked") return movedFrom(resource);
  const { resources, unknown } = lock;
  return (resources[resource.address] ?? unknown[resource.address])?.moved_from ?? [];
}

/** Gives the adoption that the entry of a resource has honoured; the emulator knows of none. */
export function adoptedBefore(
  resource: Resource,
  { lock, options, workspace }: Planning,
): Adoption | undefined {
  const entry = lock.resources[resource.address];
  return options.emulator
    ? entry?.adopted
    : honouredAdoption(resource, workspace.settings.environment, entry);
}

/** Gives the digests of what the lock has at some addresses, and at those that they move from. */
export function reads(
  addresses: readonly string[],
  { stored, moves, hash }: Planning,
): Record<string, string | null> {
  const both = addresses.flatMap((address) => [
    ...(moves.has(address) ? [moves.get(address) ?? ""] : []),
    address,
  ]);
  return Object.fromEntries(both.map((address) => [address, entryDigest(stored, address, hash)]));
}

/** What references stood for when a resource was last applied, and will stand for after the plan. */
export function lookups(
  entry: LockEntry | undefined,
  { outlooks }: Planning,
): { before: Lookup; after: Lookup } {
  return {
    before: (reference) => entry?.references?.[reference.text],
    after: (reference) => foresee(reference, outlooks.get(reference.address)),
  };
}

/** Says of what the outcome is unknown, and since when. */
export function unknownReason({
  operation,
  since,
  method,
  path,
  message,
  request_id,
}: UnknownCreate): string {
  const what = operation === "replace" ? "replacement" : "create";
  const details = [`${method} ${path}`, message, request_id && `request ID ${request_id}`].filter(Boolean);
  return `the ${what} of ${since} has an unknown outcome (${details.join(", ")})`;
}

/** Writes a request as method and path. */
export function requestText({ method, path }: Request): string {
  return `${method} ${path}`;
}
