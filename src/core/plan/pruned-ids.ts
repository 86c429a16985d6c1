import type { Plan } from "../../generated/plan.js";

/** Gives the settings that an apply of a plan records; none of a prune, which sends no bodies that they shape. */
export function keptSettings(plan: Pick<Plan, "settings" | "options">): Pick<Plan, "settings"> {
  return plan.settings && prunedIds(plan) === undefined ? { settings: plan.settings } : {};
}

/** Gives the IDs that a plan to prune was made for, none for the whole ledger; undefined for any other plan. */
export function prunedIds({ options: { prune } }: Pick<Plan, "options">): readonly string[] | undefined {
  if (prune === undefined) return undefined;
  return Array.isArray(prune) ? prune.filter((id) => typeof id === "string") : [];
}
