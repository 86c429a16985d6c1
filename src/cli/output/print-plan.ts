import type { Command } from "commander";
import type { Plan } from "../../core/plan/plan.js";
import type { Plans } from "../../core/review/plans.js";
import type { AnySaved } from "../../core/review/saved-plan.js";
import { addFormat, wholeNumber } from "../command.js";
import { UsageError, type ExitCode } from "../exit-code.js";
import { commentBytes, leastBytes } from "../../render/markdown/comment-room.js";
import type { Terminal } from "../terminal/terminal.js";
import { refuse } from "./print-diagnostics.js";
import { withoutTwice } from "./told.js";
import { renderPlanText } from "../../render/plan/plan-text.js";

const planFormats = ["text", "json", "markdown", "html"] as const;
export type PlanFormat = (typeof planFormats)[number];

/** The options for how a plan is printed. */
export type PlanFormatFlags = Partial<PlanPrinting>;

/** How a plan is printed. */
export interface PlanPrinting {
  readonly format: PlanFormat;
  /** The maximum size of the Markdown or the JSON in UTF-8 bytes; the usual one unless given. */
  readonly maxBytes?: number;
}

/** Adds the options for how a plan is printed. */
export function addPlanFormat(command: Command): void {
  addFormat(command, planFormats);
  command.option(
    "--max-bytes <n>",
    `the maximum size of a plan as Markdown or JSON in bytes, most important parts first; for Markdown ${commentBytes} unless given; errors instead of a plan are never shortened`,
    wholeNumber("--max-bytes", `a whole number of at least ${leastBytes}`, leastBytes),
  );
}

/** Reads the options for how a plan is printed; throws UsageError if they cannot be combined. */
export function readPlanFormat({ format = "text", maxBytes }: PlanFormatFlags): PlanPrinting {
  if (maxBytes !== undefined && format !== "markdown" && format !== "json") {
    throw new UsageError("--max-bytes needs --format markdown or --format json");
  }
  return { format, ...(maxBytes !== undefined && { maxBytes }) };
}

/** Prints a plan, or those of several workspaces, to standard output; `savedAs` is the file in which it is saved, if any. */
export async function printPlan(
  plan: AnySaved,
  printing: PlanPrinting & { readonly color: boolean; readonly savedAs?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const { format, maxBytes, color, savedAs } = printing;
  if (format === "json") {
    const { renderPlanJson } = await import("../../render/plan/plan-json.js");
    terminal.out(renderPlanJson(plan, maxBytes));
  } else if (format === "markdown") {
    const { renderSavedMarkdown } = await import("../../render/markdown/plans-markdown.js");
    const bytes = maxBytes ?? commentBytes;
    terminal.out(renderSavedMarkdown(plan, { maxBytes: bytes, ...(savedAs !== undefined && { savedAs }) }));
  } else if ("plans" in plan) {
    if (format === "html") throw htmlOfOne();
    await printPlansText(plan, color, terminal);
  } else if (format === "html") {
    const { renderPlanHtml } = await import("../../render/html/plan-html.js");
    terminal.out(renderPlanHtml(plan));
  } else {
    printPlanText(plan, color, terminal);
  }
}

/** Prints a plan that was to be saved; if that failed, programs get the reason alone, and this gives the exit code. */
export async function printSaved(
  plan: AnySaved,
  printing: Parameters<typeof printPlan>[1],
  failure: string | undefined,
  terminal: Terminal,
): Promise<ExitCode | undefined> {
  if (failure === undefined || printing.format !== "json") await printPlan(plan, printing, terminal);
  return failure === undefined ? undefined : await refuse("output-unwritten", failure, printing, terminal);
}

/** Prints a plan as text to standard output. */
export function printPlanText(plan: Plan, color: boolean, terminal: Terminal): void {
  const { isTerminal: isScreen, out } = terminal;
  out(renderPlanText(withoutTwice(plan, terminal), { color, isScreen }));
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
  const shown = plans.plans.map((each) => ({ ...each, plan: withoutTwice(each.plan, terminal) }));
  out(renderPlansText({ ...plans, plans: shown }, { color, isScreen }));
}
