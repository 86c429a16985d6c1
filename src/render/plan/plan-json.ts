import type { Plan } from "../../generated/plan.js";
import { withReview } from "../../core/plan/reviewed-plan.js";
import { boundedPlan } from "./plan-bounded.js";
import { jsonText } from "../words/json-text.js";

/**
 * Renders a plan as indented JSON (`agentform/plan/v1`) without the whole documents, a line end at the end; in so many
 * bytes at most if they are given.
 */
export function renderPlanJson(plan: Plan, maxBytes?: number): string {
  return jsonText(shownPlan(plan, maxBytes));
}

/** Gives a plan as programs get it. */
export function shownPlan(plan: Plan, maxBytes?: number): Omit<Plan, "documents"> {
  const { documents: _documents, ...shown } = withReview(plan);
  return maxBytes === undefined ? shown : boundedPlan(shown, maxBytes);
}
