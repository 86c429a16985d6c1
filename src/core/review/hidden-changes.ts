import type { Action, Plan } from "../../generated/plan.js";
import { embeddedJson } from "../plan/embedded-json.js";
import { sending } from "../guardrails/calls.js";
import { withPresentNames } from "../guardrails/mention.js";
import { everythingSent } from "../plan/compared-resource.js";
import { difference, topField, type Change, isConsequence } from "../plan/difference.js";
import { isRecorded, recordedChanges } from "../plan/recorded-marks.js";
import { referencesIn } from "../expression/reference.js";
import { canonical, equal, isObject, type Json, type JsonObject } from "../../json/json.js";
import { lazy } from "../../json/once.js";
import { fieldsWithoutChange, lasting } from "../kind/body.js";
import type { Kind } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import { sentLookup } from "../observation/entry-sighting.js";
import { isUntold } from "../state/attempts.js";
import { ownersIn, type OwnersOf } from "../state/known-ids.js";
import { lookupIn } from "../state/entry-ids.js";
import type { Lock, LockEntry } from "../state/lock.js";

type KnownLock = Pick<Lock, "resources"> & { readonly ownersOf: OwnersOf };

/** Names the addresses at which a plan that was read would send more than it shows, or less. */
export function hiddenChanges(plan: Plan, stored: Pick<Lock, "resources"> | undefined): string[] {
  const lock = stored && { resources: stored.resources, ownersOf: ownersIn(stored) };
  const renewed = new Set(
    plan.actions.filter(({ action }) => givesId.has(action)).map(({ address }) => address),
  );
  return plan.actions
    .filter((action) => {
      const { address, body } = action;
      if (hidesMark(action, lock)) return true;
      if (!body || !(sending.has(action.action) || action.action === "record")) return false;
      const kind = kindOfAddress(address);
      return (
        hidesDocument(action, body, plan.documents?.[address], kind) ||
        isEarly(action, body, renewed) ||
        hidesChange(action, body, kind, lock)
      );
    })
    .map(({ address }) => address);
}

const givesId: ReadonlySet<string> = new Set(["create", "adopt", "replace"]);

// A create takes each document whole.
function hidesDocument(
  { action }: Action,
  body: JsonObject,
  whole: JsonObject | undefined,
  kind: Kind,
): boolean {
  const isCreated = action === "create" || action === "replace";
  if (isCreated && kind.outlined.some((field) => isObject(body[field]) && !isObject(whole?.[field])))
    return true;
  return whole !== undefined && !equal(kind.outline({ ...body, ...whole }).body, body);
}

// What is sent before an action that gives a new ID has the old one.
function isEarly(
  { action, address, waits_for }: Action,
  body: JsonObject,
  renewed: ReadonlySet<string>,
): boolean {
  if (action === "record") return false;
  return referencesIn(body).some(
    (reference) =>
      reference.address !== address &&
      renewed.has(reference.address) &&
      !waits_for.includes(reference.address),
  );
}

function hidesChange(action: Action, body: JsonObject, kind: Kind, lock: KnownLock | undefined): boolean {
  const { address, from = address, changes } = action;
  const isCreated = action.action === "create" || action.action === "adopt";
  const applied = isCreated ? undefined : lock?.resources[from];
  // As the plan was made: what was renamed since is no change of what refers to it.
  const entry = lock && applied && withPresentNames(applied, { lock, ownersOf: lock.ownersOf });
  if (!isCreated && !entry) return claimsMore(undefined, changes, body);
  // A new object is also sent what is sent at creation alone.
  const after = isCreated || action.action === "replace" ? body : lasting(body, kind);
  const found = differenceFrom(entry, after, action, kind);
  if (isHidden(found, changes) || claimsMore(found, changes, body)) return true;
  // Before what is undone or taken over is what the service has.
  const isOfService = new Set(changes.flatMap(({ undoes, path }) => (undoes === true ? [path] : [])));
  const told = isCreated ? [] : found.filter(({ path }) => !isOfService.has(path));
  if (isHidden(told, changes, sidesOf)) return true;
  if (action.action === "record") return entry !== undefined && recordsEdit(found, entry, after, kind);
  return hidesField(action, entry, lasting(body, kind), kind, lock);
}

function differenceFrom(
  entry: LockEntry | undefined,
  after: JsonObject,
  { action }: Action,
  kind: Kind,
): Change[] {
  if (entry && action === "update" && isUntold(entry)) return everythingSent(entry, after, kind);
  return difference(entry ? lasting(entry.body, kind) : {}, after, undefined, kind.outlined);
}

// What is recorded without being sent is only written in another way: a reference in the place of its ID.
function recordsEdit(found: readonly Change[], entry: LockEntry, body: JsonObject, kind: Kind): boolean {
  const unchanged = fieldsWithoutChange(lasting(entry.body, kind), body, kind);
  return found.some((change) => {
    const sides = [change.before ?? null, change.after ?? null] as Json[];
    return !unchanged.includes(topField(change)) && referencesIn(sides).length === 0;
  });
}

/** Whether an update of single fields leaves out one that differs, or sends one that is nowhere. */
function hidesField(
  { action, fields = [], used }: Action,
  entry: LockEntry | undefined,
  body: JsonObject,
  kind: Kind,
  lock: KnownLock | undefined,
): boolean {
  const isOfFields = action === "update" || action === "adopt";
  if (!isOfFields || kind.updatesWhole || kind.replacedBy === "any") return false;
  const before = entry ? lasting(entry.body, kind) : {};
  const known = [before, body, ...(entry?.attempted ?? []).map((attempt) => attempt.body)];
  if (fields.some((field) => !known.some((each) => Object.hasOwn(each, field)))) return true;
  const meanings = { before: sentLookup(entry ?? {}), after: lookupIn(lock ?? { resources: {} }, used) };
  const unchanged = fieldsWithoutChange(before, body, kind);
  return difference(before, body, meanings, kind.outlined)
    .map(topField)
    .some((field) => !unchanged.includes(field) && !fields.includes(field));
}

// What the lock is told of a document may be told without a body.
function hidesMark(action: Action, lock: KnownLock | undefined): boolean {
  const { address, from = address, changes } = action;
  const entry = lock?.resources[from];
  const isShown = action.action === "update" || action.action === "replace" || action.action === "record";
  return entry !== undefined && isShown && isHidden(recordedChanges(entry, action), changes, sidesOf);
}

function isHidden(found: readonly Change[], changes: readonly Change[], keyOf = essenceOf): boolean {
  const shown = new Set(changes.map(keyOf));
  return found.some((change) => !shown.has(keyOf(change)));
}

// Items of a list may have been paired in another way.
function sidesOf(change: Change): string {
  const { path, before = null } = change;
  return canonical([essenceOf(change), path.includes("[") ? null : before] as Json);
}

// What was edited is not shown if it is shown as what only follows from another action.
function essenceOf(change: Change): string {
  const { path, after = null } = change;
  return canonical([path, after, isConsequence(change)] as Json);
}

/** Whether a change is shown that the body does not have; what follows from new IDs is looked for in the body alone. */
function claimsMore(
  found: readonly Change[] | undefined,
  changes: readonly Change[],
  body: JsonObject,
): boolean {
  const known = new Set(found?.map(essenceOf));
  const parts = lazy(() => partsOf(body));
  return changes.some((change) => {
    const isOfBody = !isRecorded(change.path) && !change.stays && !change.order;
    if (!isOfBody || known.has(essenceOf(change))) return false;
    if (change.after === undefined) return found !== undefined && change.undoes !== true;
    return !parts().has(canonical(change.after));
  });
}

function partsOf(value: Json, parts = new Set<string>()): ReadonlySet<string> {
  parts.add(canonical(value));
  const inside = typeof value === "string" ? embeddedJson(value) : value;
  if (typeof inside === "object" && inside !== null)
    for (const part of Object.values(inside)) partsOf(part, parts);
  return parts;
}
