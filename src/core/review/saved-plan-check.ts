import type { Plan } from "../../generated/plan.js";
import { planSettingChanges } from "../plan/applied-settings.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { idsOf } from "../kind/identity.js";
import { once } from "../../json/once.js";
import {
  entryDigest,
  isSameOwner,
  ownerText,
  type AppliedSettings,
  type Lock,
  type LockOwner,
} from "../state/lock.js";
import { planDigest } from "../plan/plan-digest.js";
import { settleTools } from "../plan/tool-ids.js";
import type { Fleet } from "../resources/fleet.js";
import { hiddenChanges } from "./hidden-changes.js";
import { equal } from "../../json/json.js";
import { movedUses } from "../plan/moved-uses.js";

/** Finds that a saved plan would send other than it shows, as far as it tells by itself, or the lock can tell. */
export function checkHidden(plan: Plan, lock: Lock | undefined, file: string): Finding[] {
  return hiddenChanges(plan, lock)
    .slice(0, 5)
    .map((address) => {
      const message = say`what the plan would send for \`${bare({ address })}\` is not what it shows`;
      return error("plan-invalid", { file }, message, "make it again with `agentform plan --out FILE`");
    });
}

/** Gives the digest of a saved plan as it would run now: with the settings of the manifest and of the lock as they are. */
export function digestNow(plan: Plan, settings: AppliedSettings, lock: Lock): string {
  const { setting_changes: _then, ...rest } = plan;
  const changes = planSettingChanges(plan, lock, settings);
  return planDigest({ ...rest, settings, ...(changes.length > 0 && { setting_changes: changes }) });
}

/** Finds a saved plan of a different workspace or environment, or of the emulator. */
export function checkOwner(plan: Plan, owner: LockOwner, emulator: boolean, file: string): Finding[] {
  const found = bare({ found: [plan.workspace, plan.environment] }, ownerText(plan));
  const expected = bare({ expected: [owner.workspace, owner.environment] }, ownerText(owner));
  if (!isSameOwner(plan, owner)) {
    const message = say`the plan is for ${found}, and this is ${expected}`;
    const hint =
      plan.workspace === owner.workspace
        ? "name the environment that it was made for with `-e`"
        : "apply it in the folder of its workspace, which `-C` names";
    return [error("plan-foreign", { file }, message, hint)];
  }
  if ((plan.options.emulator === true) === emulator) return [];
  const hint = "apply a plan made with `--emulator` with that option, and any other plan without it";
  return [error("plan-foreign", { file }, "the plan and this command differ in `--emulator`", hint)];
}

/** Names the lock entries that a plan reads or writes and that are no longer as they were, also those of other workspaces. */
export function movedEntries(plan: Plan, lock: Lock, fleet?: Pick<Fleet, "used" | "settings">): string[] {
  const moved = new Set<string>();
  if (plan.lock !== null && plan.lock.lineage !== lock.lineage)
    return plan.actions.map(({ address }) => address);
  const entryDigestOf = once((address) => entryDigest(lock, address));
  for (const text of movedUses(plan, fleet?.used ?? new Map())) moved.add(text);
  // As a plan reads the lock: the manifest may have settled since which members of an answer are the IDs.
  const { resources } = fleet ? settleTools(lock, fleet.settings).lock : lock;
  const leaving = new Set(plan.actions.map(({ from }) => from));
  for (const { address: own, from = own, action, reads, retired, ids = [] } of plan.actions) {
    // As one whose object is not there any more: nothing could be sent to it, or be recorded of it.
    const entry = resources[from];
    if (isOfEntry.has(action) && !retired && entry === undefined) moved.add(own);
    // A delete is sent to the IDs of the plan: any other would be somebody else's object.
    if (action === "delete" && entry && !retired && !equal([...ids], [...idsOf(entry)])) moved.add(own);
    // Whatever it says that it has read: a second object would take the place of the first.
    const isThere = lock.resources[own] !== undefined || lock.unknown[own] !== undefined;
    if (action === "create" && isThere && !leaving.has(own)) moved.add(own);
    for (const [address, digest] of Object.entries(reads)) {
      if (entryDigestOf(address) !== digest) moved.add(address);
    }
  }
  return [...moved].toSorted();
}

const isOfEntry: ReadonlySet<string> = new Set(["update", "replace", "record", "forget", "delete"]);
