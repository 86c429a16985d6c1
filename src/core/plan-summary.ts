import type { Action, PlanSummary } from "../generated/plan.js";
import type { Resource } from "./resource.js";

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
