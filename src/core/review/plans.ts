import { hash } from "../../digest.js";
import { canonical } from "../../json/json.js";
import type { Plan, PlanSummary } from "../../generated/plan.js";
import type { LeftOutWorkspace, SavedPlans } from "../../generated/plans.js";
import { hasErrors } from "../finding/diagnostic.js";
import { hasChanges, summarizeActions } from "../plan/plan-summary.js";

export type { LeftOutWorkspace };

/** The format of the plans of several workspaces. */
export const plansFormat = "agentform/plans/v1";

/** The plan of one of several workspaces, whose folder is named from the top of the repository. */
export interface MemberPlan {
  readonly folder: string;
  readonly plan: Plan;
}

/** The plans of several workspaces, in the order in which they are applied. */
export interface Plans extends Pick<SavedPlans, "format" | "digest" | "environment" | "leftOut"> {
  readonly summary: PlanSummary;
  readonly plans: readonly MemberPlan[];
}

/** Puts the plans of several workspaces together. */
export function buildPlans(
  environment: string | null,
  plans: readonly MemberPlan[],
  leftOut: readonly LeftOutWorkspace[],
): Plans {
  return {
    format: plansFormat,
    digest: plansDigest(plans),
    environment,
    summary: sumOf(plans),
    plans,
    leftOut: [...leftOut],
  };
}

// Each plan is covered by its own.
function plansDigest(plans: readonly MemberPlan[]): string {
  return hash(canonical(plans.map(({ folder, plan: { digest } }) => [folder, digest])));
}

function sumOf(plans: readonly MemberPlan[]): PlanSummary {
  const sum = summarizeActions([], []);
  for (const { plan } of plans) {
    for (const [name, count] of Object.entries(plan.summary) as [keyof PlanSummary, number][]) {
      sum[name] = (sum[name] ?? 0) + count;
    }
  }
  return sum;
}

/** Whether there is nothing of a plan to read: it changes nothing, and nothing is wrong with it. */
export function isQuiet({ plan }: MemberPlan): boolean {
  return !hasChanges(plan) && plan.notes.length === 0 && !hasErrors(plan.diagnostics);
}
