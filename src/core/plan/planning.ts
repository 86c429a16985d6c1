import type { Action } from "../../generated/plan.js";
import { honouredAdoption, type Adoption } from "./adoption.js";
import { affectedBy, type Affected } from "./affected.js";
import type { Finding } from "../finding/diagnostic.js";
import { emptyTable, type Hash } from "../../json/json.js";
import type { Request } from "../kind/kind.js";
import { movedFrom } from "./move.js";
import type { Scope } from "./narrowing.js";
import { foresee, type Outlook } from "./outlook.js";
import type { PlanOptions } from "./plan-options.js";
import type { Lookup } from "../expression/resolution.js";
import type { Resource } from "../resources/resource.js";
import type { Lock, LockEntry, UnknownCreate } from "../state/lock.js";
import type { Workspace } from "../resources/workspace.js";

/** A plan in the making: what it is made of, and what it foresees so far. */
export interface Planning {
  readonly workspace: Workspace;
  /** The lock as it is. */
  readonly stored: Lock;
  /** The lock with the moves that documents ask for. */
  readonly lock: Lock;
  readonly options: PlanOptions;
  readonly hash: Hash;
  /** Gives the digest of what the lock has at an address, null where it has nothing. */
  readonly entryDigestOf: (address: string) => string | null;
  /** Gives the addresses that have an ID in the lock. */
  readonly ownersOf: (id: string) => readonly string[];
  /** By address, filled dependencies first. */
  readonly outlooks: Map<string, Outlook>;
  readonly actions: Map<string, Action>;
  readonly findings: Finding[];
  /** By new address: the one that the entry had before it moved. */
  readonly moves: ReadonlyMap<string, string>;
  /** The addresses whose entries had short digests of an older version. */
  readonly widened: ReadonlySet<string>;
  /** The addresses whose tools got their IDs by what the manifest says now. */
  readonly settled: ReadonlySet<string>;
  /** Which addresses the plan takes in. */
  readonly scope: Scope;
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
  const { moves } = planning;
  const moved_from = honouredMoves(action, resource, planning);
  const adopted = adoptedBefore(resource, planning);
  const from = moves.get(address);
  return {
    address,
    action,
    changes: [],
    ...affectedByAction(action, address, planning),
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

// What is new has nothing that depends on what it was.
function affectedByAction(action: Action["action"], address: string, { workspace }: Planning): Affected {
  if (action === "create" || action === "record") return { affects: [] };
  return affectedBy(address, (each) => workspace.graph.dependents.get(each) ?? []);
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
  { moves, entryDigestOf }: Planning,
): Record<string, string | null> {
  const read = emptyTable<string | null>();
  for (const address of addresses) {
    const from = moves.get(address);
    if (from !== undefined) read[from] = entryDigestOf(from);
    read[address] = entryDigestOf(address);
  }
  return read;
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
  found,
}: UnknownCreate): string {
  const what = operation === "replace" ? "replacement" : "create";
  const details = [`${method} ${path}`, message, request_id && `request ID ${request_id}`].filter(Boolean);
  const part = found && `; found so far: ${Object.keys(found).join(", ")}`;
  return `the ${what} of ${since} has an unknown outcome (${details.join(", ")})${part ?? ""}`;
}

/** Writes a request as method and path. */
export function requestText({ method, path }: Request): string {
  return `${method} ${path}`;
}
