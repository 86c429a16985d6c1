import type { Action, Plan } from "../../generated/plan.js";
import { lasting } from "../kind/body.js";
import { isConsequence } from "./consequence.js";
import { difference, type Change } from "./difference.js";
import { canonical, equal, type Json, type JsonObject } from "../../json/json.js";
import type { Kind } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { Lock, LockEntry } from "../state/lock.js";

/**
 * Names the addresses at which a plan that was read would send more than it shows: a field that differs from what
 * the lock has and is in no change, or a complete document that differs from its outline. Without a lock, creates
 * and documents alone are looked at.
 */
export function hiddenChanges(plan: Plan, lock: Pick<Lock, "resources"> | undefined): string[] {
  return plan.actions
    .filter((action) => {
      const kind = kindOfAddress(action.address);
      if (!kind || !action.body) return false;
      const whole = plan.documents?.[action.address];
      return (
        (whole && !isOfOutline(action.body, whole, kind)) || hidesChange(action, action.body, kind, lock)
      );
    })
    .map(({ address }) => address);
}

function isOfOutline(body: JsonObject, whole: JsonObject, kind: Kind): boolean {
  return equal(kind.outline({ ...body, ...whole }).body, body);
}

function hidesChange(
  { address, action, from, changes }: Action,
  body: JsonObject,
  kind: Kind,
  lock: Pick<Lock, "resources"> | undefined,
): boolean {
  const isNew = action === "create";
  if (!isNew && (lock === undefined || (action !== "update" && action !== "replace"))) return false;
  const entry: LockEntry | undefined = isNew ? undefined : lock?.resources[from ?? address];
  // The state of such an object is unknown, so all of it is shown.
  if (!isNew && (!entry || entry.uncertain === true)) return false;
  const after = isNew ? body : lasting(body, kind);
  const lookups = { before: unresolved, after: unresolved };
  const found = difference(entry ? lasting(entry.body, kind) : {}, after, lookups, kind.outlined);
  const shown = new Set(changes.map(essenceOf));
  return found.some((change) => !shown.has(essenceOf(change)));
}

const unresolved = (): undefined => undefined;

// What was edited is not shown if it is shown as what only follows from another action.
function essenceOf(change: Change): string {
  const { path, after = null } = change;
  return canonical([path, after, isConsequence(change)] as Json);
}
