import type { Plan } from "../../generated/plan.js";
import { withReview } from "../../core/plan/reviewed-plan.js";
import { jsonText } from "../words/json-text.js";

/** Renders a plan as indented JSON (`agentform/plan/v1`) without the whole documents, a line end at the end. */
export function renderPlanJson(plan: Plan): string {
  return jsonText(shownPlan(plan));
}

/** Gives a plan as programs get it. */
export function shownPlan(plan: Plan): Omit<Plan, "documents"> {
  const { documents: _documents, ...shown } = withReview(plan);
  return shown;
}
