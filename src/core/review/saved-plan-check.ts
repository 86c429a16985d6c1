import type { Plan, Action } from "../../generated/plan.js";
import { planSettingChanges } from "../plan/applied-settings.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { once } from "../../json/once.js";
import {
  entryDigest,
  type AppliedSettings,
  type Lock,
  type LockOwner,
  type LockEntry,
} from "../state/lock.js";
import { planDigest } from "../plan/plan-digest.js";
import { lasting } from "../kind/body.js";
import { isConsequence } from "../plan/consequence.js";
import { difference, type Change } from "../plan/difference.js";
import { recordedChanges } from "../plan/recorded-marks.js";
import { canonical, equal, type Json, type JsonObject } from "../../json/json.js";
import { readReference } from "../expression/reference.js";
import { isPending, usedLookup, type UsedWorkspaces } from "../resources/used.js";
import type { Kind } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";

/** Finds that a saved plan would send more than it shows, as far as the lock can tell. */
export function checkHidden(plan: Plan, lock: Lock, file: string): Finding[] {
  return hiddenChanges(plan, lock)
    .slice(0, 5)
    .map((address) => hidingFinding(address, file));
}

/** Makes the finding of an address for which a plan would send more than it shows. */
export function hidingFinding(address: string, file: string): Finding {
  const message = say`the plan would send more for \`${bare({ address })}\` than it shows`;
  return error("plan-invalid", { file }, message, "make it again with `agentform plan --out FILE`");
}

/** Gives the digest of a saved plan as it would run now: with the settings of the manifest and of the lock as they are. */
export function digestNow(plan: Plan, settings: AppliedSettings, lock: Lock): string {
  const { setting_changes: _then, ...rest } = plan;
  const changes = planSettingChanges(plan, lock, settings);
  return planDigest({ ...rest, settings, ...(changes.length > 0 && { setting_changes: changes }) });
}

/** Finds a saved plan of a different workspace or environment, or of the emulator. */
export function checkOwner(plan: Plan, owner: LockOwner, emulator: boolean, file: string): Finding[] {
  const name = ({ workspace, environment }: LockOwner) =>
    `\`${workspace}\`${environment === null ? "" : ` in \`${environment}\``}`;
  const found = bare({ found: [plan.workspace, plan.environment] }, name(plan));
  const expected = bare({ expected: [owner.workspace, owner.environment] }, name(owner));
  if (plan.workspace !== owner.workspace || plan.environment !== owner.environment) {
    const message = say`the plan is for ${found}, and this is ${expected}`;
    return [error("plan-foreign", { file }, message, "name the environment that it was made for with `-e`")];
  }
  if ((plan.options.emulator === true) === emulator) return [];
  const hint = "a plan made with `--emulator` is applied with it, and one without it without";
  return [error("plan-foreign", { file }, "the plan and this command differ in `--emulator`", hint)];
}

/** Names the lock entries that a plan reads or writes and that are no longer as they were, also those of other workspaces. */
export function movedEntries(plan: Plan, lock: Lock, used: UsedWorkspaces = new Map()): string[] {
  const moved = new Set<string>();
  if (plan.lock !== null && plan.lock.lineage !== lock.lineage)
    return plan.actions.map(({ address }) => address);
  const entryDigestOf = once((address) => entryDigest(lock, address));
  for (const text of movedUses(plan, used)) moved.add(text);
  const leaving = new Set(plan.actions.map(({ from }) => from));
  for (const { address: own, action, reads } of plan.actions) {
    // Whatever it says that it has read: a second object would take the place of the first.
    const isThere = lock.resources[own] !== undefined || lock.unknown[own] !== undefined;
    if (action === "create" && isThere && !leaving.has(own)) moved.add(own);
    for (const [address, digest] of Object.entries(reads)) {
      if (entryDigestOf(address) !== digest) moved.add(address);
    }
  }
  return [...moved].toSorted();
}

/** Names the references to other workspaces that stand for another ID now than in a plan. */
export function movedUses({ actions }: Plan, used: UsedWorkspaces): string[] {
  const lookup = usedLookup(used);
  return actions.flatMap(({ used: sent = {} }) =>
    Object.entries(sent).flatMap(([text, ids]) => {
      const reference = readReference(text);
      const isAwaited = ids === null && isPending(used, reference.address);
      return isAwaited || equal(lookup(reference) as Json, ids as Json) ? [] : [text];
    }),
  );
}

/**
 * Names the addresses at which a plan that was read would send more than it shows: a field that differs from what
 * the lock has and is in no change, or a complete document that differs from its outline. Without a lock, creates
 * and documents alone are looked at.
 */
export function hiddenChanges(plan: Plan, lock: Pick<Lock, "resources"> | undefined): string[] {
  return plan.actions
    .filter((action) => {
      const kind = kindOfAddress(action.address);
      if (hidesMark(action, lock)) return true;
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
  if (!isNew && (lock === undefined || (action !== "update" && action !== "replace" && action !== "record")))
    return false;
  const entry: LockEntry | undefined = isNew ? undefined : lock?.resources[from ?? address];
  // The state of such an object is unknown, so all of it is shown.
  if (!isNew && (!entry || entry.uncertain === true)) return false;
  const after = isNew ? body : lasting(body, kind);
  const found = difference(entry ? lasting(entry.body, kind) : {}, after, undefined, kind.outlined);
  return isHidden(found, changes);
}

// What the lock is told of a document may be told without a body.
function hidesMark(action: Action, lock: Pick<Lock, "resources"> | undefined): boolean {
  const { address, from = address, changes } = action;
  const entry = lock?.resources[from];
  const isShown = action.action === "update" || action.action === "replace" || action.action === "record";
  return entry !== undefined && isShown && isHidden(recordedChanges(entry, action), changes);
}

function isHidden(found: readonly Change[], changes: readonly Change[]): boolean {
  const shown = new Set(changes.map(essenceOf));
  return found.some((change) => !shown.has(essenceOf(change)));
}

// What was edited is not shown if it is shown as what only follows from another action.
function essenceOf(change: Change): string {
  const { path, after = null } = change;
  return canonical([path, after, isConsequence(change)] as Json);
}
