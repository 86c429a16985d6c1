import type { Action } from "../../generated/plan.js";
import { emptyTable } from "../../json/json.js";
import type { ServiceRequest } from "../kind/kind.js";
import { madeFrom } from "../resources/field-origin.js";
import { isPending, leadsElsewhere, usedLookup } from "../resources/used.js";
import { resolvedReferences } from "../expression/resolution.js";
import type { Resource } from "../resources/resource.js";
import type { UnknownCreate } from "../state/lock.js";
import { affectedBy } from "../resources/graph.js";
import { cause, type Cause, because } from "./cause.js";
import { movedFrom } from "../resources/former-address.js";
import type { Planning } from "./planning.js";
import { recordedMarks } from "./recorded-marks.js";
import { defined } from "../state/defined.js";
import { sending } from "../guardrails/calls.js";

/** Makes an action of what is, or was, written in a file, with nothing in it but the details. */
export function actionOf(
  { address, file }: { readonly address: string; readonly file?: string | undefined },
  action: Action["action"],
  details: Partial<Action>,
): Action {
  return {
    address,
    action,
    reasons: [],
    changes: [],
    affects: [],
    waits_for: [],
    reads: {},
    ...(file !== undefined && { file }),
    ...details,
  };
}

/** Whether an action gives an address that has an object another one. */
export function isExchange({ action, leaves = 0 }: Pick<Action, "action" | "leaves">): boolean {
  return action === "replace" || (action === "adopt" && leaves > 0);
}

/** Makes the action of a resource. */
export function act(
  action: Action["action"],
  resource: Resource,
  planning: Planning,
  details: Partial<Action>,
): Action {
  const { address } = resource;
  const { graph } = planning.fleet;
  const dependencies = graph.dependencies.get(address) ?? [];
  const moved_from = honouredMoves(action, resource, planning);
  const adopted = planning.adoptedOf(resource);
  const from = planning.moves.get(address);
  const isNew = action === "create" || action === "record";
  // What waits, or is recorded without a body, keeps what it was last made from.
  const isMade = sending.has(action) || (action === "record" && details.body !== undefined);
  const used = isMade ? usedBy(resource, planning) : undefined;
  const made_from = isMade ? madeFrom(resource, planning.fleet.settings.defaults) : undefined;
  return actionOf(resource, action, {
    // Nothing depends on the old state of a new object.
    ...(!isNew && affectedBy(address, (each) => graph.dependents.get(each) ?? [])),
    waits_for: dependencies.filter((dependency) => planning.actions.has(dependency)),
    reads: reads([address, ...dependencies], planning),
    ...(used && { used }),
    ...(from !== undefined && { from }),
    ...recordedMarks(resource),
    ...(adopted !== undefined && { adopted }),
    ...(moved_from.length > 0 && { moved_from: [...moved_from] }),
    ...(made_from && { made_from }),
    ...details,
    ...withMove(from, action, details),
  });
}

// What gets its ID there first is named without one.
function usedBy({ references }: Resource, { fleet: { used } }: Planning): Action["used"] {
  if (used.size === 0) return undefined;
  const elsewhere = references.filter(leadsElsewhere);
  const known = resolvedReferences(elsewhere, usedLookup(used));
  const pending = elsewhere.filter(({ address }) => isPending(used, address));
  if (pending.length === 0) return known;
  return { ...known, ...Object.fromEntries(pending.map(({ text }) => [text, null])) };
}

function withMove(
  from: string | undefined,
  action: Action["action"],
  { causes = [], reasons = [] }: Partial<Action>,
): Pick<Action, "causes" | "reasons"> {
  const isKept = action !== "replace" && action !== "adopt" && action !== "unknown";
  const moved = because(from === undefined ? [] : [cause("moved", { from, ...(!isKept && { isKept }) })]);
  const all = [...(moved.causes ?? []), ...causes];
  return { reasons: [...moved.reasons, ...reasons], ...(all.length > 0 && { causes: all }) };
}

// A move without an entry ends when the entry is written, because its old name may be used again.
function honouredMoves(action: Action["action"], resource: Resource, { lock }: Planning): readonly string[] {
  if (action !== "unknown" && action !== "blocked") return movedFrom(resource);
  const { resources, unknown } = lock;
  return (resources[resource.address] ?? unknown[resource.address])?.moved_from ?? [];
}

/** Gives the digests of the lock entries at some addresses, and at the addresses that they move from. */
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

/** Gives what is known of a create of unknown outcome. */
export function unknownOutcome(unknown: UnknownCreate): Cause {
  const { operation, since, method, path, message, request_id, found } = unknown;
  return cause("outcome-unknown", {
    operation,
    since,
    method,
    path,
    ...defined({ message, request_id }),
    ...(found && { found: Object.keys(found) }),
  });
}

/** Writes a request as method and path. */
export function requestText({ method, path }: ServiceRequest): string {
  return `${method} ${path}`;
}
