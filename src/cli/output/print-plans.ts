import type { Plan } from "../../core/plan/plan.js";
import type { Plans } from "../../core/review/plans.js";
import { commentBytes } from "../../render/markdown/comment-room.js";
import { UsageError } from "../exit-code.js";
import type { Terminal } from "../terminal/terminal.js";
import { withoutTwice } from "./told.js";

/** Prints the plans of several workspaces to standard output. */
export async function printPlans(
  plans: Plans,
  {
    format,
    maxBytes,
    color,
    savedAs,
  }: {
    readonly format: string;
    readonly maxBytes?: number;
    readonly color: boolean;
    readonly savedAs?: string | undefined;
  },
  terminal: Terminal,
): Promise<void> {
  if (format === "html") throw htmlOfOne();
  if (format === "json") {
    const { renderPlansJson } = await import("../../render/plan/plan-json.js");
    terminal.out(renderPlansJson(plans, maxBytes));
  } else if (format === "markdown") {
    const { renderPlansMarkdown } = await import("../../render/markdown/plans-markdown.js");
    const bytes = maxBytes ?? commentBytes;
    terminal.out(renderPlansMarkdown(plans, { maxBytes: bytes, ...(savedAs !== undefined && { savedAs }) }));
  } else {
    await printPlansText(plans, color, terminal);
  }
}

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
