import type { Plan } from "../../core/plan/plan.js";
import type { Plans } from "../../core/review/plans.js";
import { UsageError } from "../exit-code.js";
import type { Terminal } from "../terminal/terminal.js";
import { withoutTwice } from "./told.js";

/** Says that a page shows the plan of one workspace. */
export function htmlOfOne(): UsageError {
  return new UsageError(
    "--format html is of one workspace, and cannot be combined with several",
    "`--format markdown` shows the plans of several",
  );
}

/** Prints the plans of several workspaces as text to standard output. */
export async function printPlansText(plans: Plans, color: boolean, terminal: Terminal): Promise<void> {
  const { renderPlansText } = await import("../../render/plan/plans-text.js");
  const { isTerminal: isScreen, out } = terminal;
  const shown = (plan: Plan) => withoutTwice(plan, terminal);
  out(
    renderPlansText(
      { ...plans, plans: plans.plans.map((each) => ({ ...each, plan: shown(each.plan) })) },
      { color, isScreen },
    ),
  );
}
