import { renderSavedPlan } from "../../src/core/review/saved-plan.js";
import type { Plan } from "../../src/generated/plan.js";
import { renderPlanJson } from "../../src/render/plan/plan-json.js";

/** Gives the text of a saved plan, which must be one that a string can hold. */
export function savedPlanText(plan: Plan): string {
  return renderSavedPlan(plan);
}

/** Gives the JSON of a plan, which must be one that a string can hold. */
export function planJson(plan: Plan): string {
  return renderPlanJson(plan);
}
