import type { Action, Plan, PlanSummary } from "../../generated/plan.js";
import type { Resource } from "../resources/resource.js";

/** Whether a plan has anything to review: edits of the state, actions, or settings to record in a lock that there is. */
export function hasChanges(
  plan: Pick<Plan, "lock" | "actions" | "setting_changes" | "state_changes">,
): boolean {
  const { actions, state_changes: edits = [] } = plan;
  return edits.length + actions.length + recordedSettings(plan) > 0;
}

/** Counts the settings that an apply records; a first apply, of which all are new, for the sake of its actions alone. */
export function recordedSettings({
  lock,
  setting_changes = [],
}: Pick<Plan, "lock" | "setting_changes">): number {
  return lock === null ? 0 : setting_changes.length;
}

/** Counts the actions of each sort, and the resources of a plan that have none. */
export function summarizeActions(actions: readonly Action[], resources: readonly Resource[]): PlanSummary {
  const summary: PlanSummary = {
    create: 0,
    update: 0,
    replace: 0,
    adopt: 0,
    forget: 0,
    record: 0,
    unknown: 0,
    blocked: 0,
    unchanged: 0,
  };
  for (const { action } of actions) summary[action]++;
  const touched = new Set(actions.map(({ address }) => address));
  return { ...summary, unchanged: resources.filter(({ address }) => !touched.has(address)).length };
}
