import type { Action } from "../../generated/plan.js";
import { adopt, adoptionOf } from "./adoption.js";
import { difference } from "./difference.js";
import { marksApart } from "../state/document-marks.js";
import type { LockEntry, UnknownCreate } from "../state/lock.js";
import { idInEntry } from "../state/entry-ids.js";
import { act, requestText, unknownOutcome } from "./action.js";
import { changeOf } from "./managed-change.js";
import { lookups, type Planning } from "./planning.js";
import type { Reference } from "../expression/reference.js";
import type { Resource } from "../resources/resource.js";
import { memberPointers } from "../kind/openapi-tools.js";
import { usedAddress } from "../resources/used.js";
import { cause, type Cause, because } from "./cause.js";

/** Decides what is done to one resource, dependencies being decided; undefined if nothing is. */
export function decide(resource: Resource, planning: Planning): Action | undefined {
  const { address } = resource;
  const entry = planning.lock.resources[address];
  const unknown = planning.lock.unknown[address];
  const adoption = adoptionOf(resource, planning);
  if (unknown && !adoption) return unknownOf(resource, unknown, planning);
  const missing = unavailable(resource, planning);
  if (missing.length > 0) return act("blocked", resource, planning, because(missing));
  if (adoption) return adopt(resource, adoption, planning);
  if (!entry) return create(resource, planning);
  return changeOf(resource, entry, planning);
}

/** What is done to a resource that a narrowed plan leaves out: a move renames in the lock, and cannot be left out. */
export function follow(resource: Resource, planning: Planning): Action | undefined {
  const { address } = resource;
  if (!planning.moves.has(address)) return undefined;
  const entry = planning.lock.resources[address];
  const pending = planning.lock.unknown[address];
  if (!entry && pending) return unknownOf(resource, pending, planning);
  const recorded = act("record", resource, planning, because([cause("rest-left-out", {})]));
  return { ...marksApart(recorded).rest, ...marksApart(entry ?? {}).marks };
}

function unknownOf(resource: Resource, unknown: UnknownCreate, planning: Planning): Action {
  const { body, found: tools } = unknown;
  return act("unknown", resource, planning, {
    ...because([unknownOutcome(unknown)]),
    body,
    ...(tools && { tools }),
  });
}

function create(resource: Resource, planning: Planning): Action {
  const { kind, body } = resource;
  const changes = difference({}, body, lookups(undefined, planning), kind.outlined);
  return act("create", resource, planning, { changes, body, requests: [requestText(kind.create)] });
}

function unavailable({ references }: Resource, planning: Planning): Cause[] {
  const causes: Cause[] = [];
  for (const reference of references) {
    const idsAfter = planning.idsAfterPlan.get(reference.address);
    if (idsAfter?.type === "unavailable") causes.push(idsAfter.cause);
    else if (idsAfter?.type === "kept" && idInEntry(idsAfter.entry, reference) === undefined) {
      causes.push(withoutId(reference, idsAfter.entry));
    }
  }
  if (causes.length === 0) return causes;
  return [...new Map(causes.map((each) => [JSON.stringify(each), each])).values()];
}

function withoutId({ address, operation }: Reference, { candidates }: LockEntry): Cause {
  const of = usedAddress(address);
  if (of) return cause("not-applied-there", { ...of, ...(operation !== undefined && { operation }) });
  if (candidates) return cause("tool-ids-unsettled", { pointers: memberPointers(candidates), address });
  return operation === undefined
    ? cause("id-unknown", { address })
    : cause("tool-unmapped", { address, operation });
}
