import type { Plan } from "../core/plan.js";
import type { Terminal } from "./terminal.js";

/** The forms that a plan can be shown in. */
export const planFormats = ["text", "json"] as const;
export type PlanFormat = (typeof planFormats)[number];

/** Prints a plan to standard output. */
export async function printPlan(
  plan: Plan,
  { format, color }: { readonly format: PlanFormat; readonly color: boolean },
  terminal: Terminal,
): Promise<void> {
  if (format === "json") {
    const { renderPlanJson } = await import("./render/plan-json.js");
    terminal.out(renderPlanJson(plan));
  } else {
    const { renderPlanText } = await import("./render/plan-text.js");
    terminal.out(renderPlanText(plan, { color }));
  }
}
