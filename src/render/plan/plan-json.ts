import type { Plan } from "../../generated/plan.js";
import { withReview } from "../../core/review/reviewed-plan.js";
import type { Plans } from "../../core/review/plans.js";
import type { AnySaved } from "../../core/review/saved-plan.js";
import { sharesOf } from "../words/shared-room.js";
import { boundedPlan, bytesOf } from "./plan-bounded.js";
import { jsonText } from "../words/json-text.js";

/** Renders plans as indented JSON without whole documents, in so many bytes at most, which several share. */
export function renderPlanJson(saved: AnySaved, maxBytes?: number): string {
  return jsonText(shownSaved(saved, maxBytes));
}

/** Gives a plan, or those of several workspaces, as programs get them. */
export function shownSaved(saved: AnySaved, maxBytes?: number): object {
  return "plans" in saved ? shownPlans(saved, maxBytes) : shownPlan(saved, maxBytes);
}

function shownPlans(plans: Plans, maxBytes?: number): object {
  const whole = plans.plans.map(({ folder, plan }) => ({ folder, plan: shownPlan(plan) }));
  if (maxBytes === undefined) return { ...plans, plans: whole };
  const around = bytesOf({ ...plans, plans: plans.plans.map(({ folder }) => ({ folder, plan: {} })) });
  const rooms = sharesOf(
    whole.map(({ plan }) => bytesOf(plan, 3)),
    maxBytes - around,
  );
  // Each line of a plan is indented three times more than on its own.
  const bounded = plans.plans.map(({ folder, plan }, at) => ({
    folder,
    plan: shownPlan(plan, rooms[at], 3),
  }));
  return { ...plans, plans: bounded };
}

function shownPlan(plan: Plan, maxBytes?: number, depth = 0): Omit<Plan, "documents"> {
  const { documents: _documents, ...shown } = withReview(plan);
  return maxBytes === undefined ? shown : boundedPlan(shown, maxBytes, depth);
}
