import type { ClaimedCreate, ClaimedUpdate, ClaimRecord } from "../../generated/journal.js";
import type { Action } from "../../generated/plan.js";
import { referencesIn } from "../expression/reference.js";
import { resolvedReferences, type Lookup } from "../expression/resolution.js";
import { lasting } from "../kind/body.js";
import { kindOfAddress } from "../kind/kinds.js";
import { defined } from "../state/defined.js";
import { documentMarks } from "../state/document-marks.js";
import { idInEntry, lookupIn, sentContent, sentOnce } from "../state/entry-ids.js";
import type { Lock } from "../state/lock.js";
import { entryOf } from "../plan/planning.js";

// A record is one text, so the claim of a large plan has several.
const claimedAtOnce = 1000;

/** Gives the records of what a plan may create or update, for a store that must have them before anything is sent. */
export function claimsOf(
  actions: readonly Action[],
  lock: Pick<Lock, "resources">,
  time: string,
): ClaimRecord[] {
  const creates = actions.flatMap((action) => claimedCreate(action, time) ?? []);
  const lookup = lookupBefore(actions, lock);
  const updates = actions.flatMap((action) => claimedUpdate(action, lookup) ?? []);
  return [
    ...inParts(creates).map((part): ClaimRecord => ({ type: "claim", creates: part })),
    ...inParts(updates).map((part): ClaimRecord => ({ type: "claim", creates: [], updates: part })),
  ];
}

function inParts<Each>(items: readonly Each[]): Each[][] {
  const count = Math.ceil(items.length / claimedAtOnce);
  return Array.from({ length: count }, (_, at) => items.slice(at * claimedAtOnce, (at + 1) * claimedAtOnce));
}

function claimedCreate(action: Action, time: string): ClaimedCreate | undefined {
  const { address, action: operation, body } = action;
  if (!body || (operation !== "create" && operation !== "replace")) return undefined;
  const kind = kindOfAddress(address);
  const { method, path } = kind.create;
  return {
    address,
    operation,
    time,
    method,
    path,
    ...sentContent(body, kind, () => undefined),
    ...sentOnce(kind.creation(body), kind),
    ...documentMarks(action),
    ...defined({ gone: action.gone }),
  };
}

// Of what is adopted it is not known what it has, so nobody can be blamed for it.
function claimedUpdate(
  { address, action, body, used = {} }: Action,
  known: Lookup,
): ClaimedUpdate | undefined {
  if (!body || action !== "update") return undefined;
  const kept = lasting(body, kindOfAddress(address));
  const lookup: Lookup = (reference) =>
    Object.hasOwn(used, reference.text) ? (used[reference.text] ?? undefined) : known(reference);
  const references = resolvedReferences(referencesIn(kept), lookup);
  return { address, operation: action, body: kept, ...(references && { references }) };
}

/** Gives the IDs that the actions of a plan leave as they are, or name. */
function lookupBefore(actions: readonly Action[], lock: Pick<Lock, "resources">): Lookup {
  const byAddress = new Map(actions.map((action) => [action.address, action]));
  const known = lookupIn(lock);
  return (reference) => {
    const action = byAddress.get(reference.address);
    if (action?.action === "create" || action?.action === "replace") return undefined;
    if (action?.action !== "adopt" || !action.body) return known(reference);
    return idInEntry(entryOf(action, action.body), reference);
  };
}
