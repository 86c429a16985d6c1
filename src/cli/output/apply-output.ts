import type { ApplyEvent, ApplySummary } from "../../core/apply/apply-event.js";
import { hasErrors } from "../../core/finding/diagnostic.js";
import type { Plan } from "../../core/plan/plan.js";
import type { Slowdown } from "../../core/observation/service.js";
import type { ApplyResult } from "../../sync/request.js";
import { version } from "../../version.js";
import { GatheredLines } from "./gathered-lines.js";
import { printDiagnostics } from "./print-diagnostics.js";
import type { Progress } from "../progress/progress.js";
import { printPlanText } from "./print-plan.js";
import type { Terminal } from "../terminal/terminal.js";

/** Shows an apply: its progress, and how it ended. */
export interface ApplyOutput {
  /** Shows the plan that is about to run. */
  begin(plan: Plan): Promise<void>;
  event(event: ApplyEvent): void;
  /** Shows how many requests start in a second. */
  pace(slowdown: Slowdown): void;
  /** Writes whole lines to standard error, above the progress display. */
  err(text: string): void;
  /** Removes the progress display. */
  close(): void;
  end(result: ApplyResult): Promise<void>;
}

const nothingDone: ApplySummary = { done: 0, failed: 0, unknown: 0, skipped: 0, blocked: 0 };

/** Opens the output in a format. */
export async function openApplyOutput(
  { format, color }: { readonly format: "text" | "json"; readonly color: boolean },
  terminal: Terminal,
): Promise<ApplyOutput> {
  return format === "json" ? await jsonOutput(terminal, color) : textOutput(terminal, color);
}

/** Tells on standard error how an apply ended whose result cannot be written. */
async function tellWhatIsLost(summary: ApplySummary, isWhole: boolean, terminal: Terminal): Promise<void> {
  if (terminal.outFailure?.() === undefined) return;
  const { renderApplySummary } = await import("../../render/apply/apply-text.js");
  terminal.err(`${renderApplySummary(summary, { color: false, isWhole })}\n`);
}

async function jsonOutput(terminal: Terminal, color: boolean): Promise<ApplyOutput> {
  const { renderVersionLine, renderEventLine, renderDiagnosticsLine, renderSummaryLine } =
    await import("../../render/apply/apply-json.js");
  terminal.out(renderVersionLine(version));
  const events = new GatheredLines((lines) => terminal.out(lines));
  return {
    async begin({ diagnostics }) {
      if (diagnostics.length > 0) terminal.out(renderDiagnosticsLine(diagnostics));
    },
    event: (event) => events.add(renderEventLine(event)),
    pace: () => undefined,
    err: (text) => terminal.err(text),
    close: () => events.end(),
    async end({ status, summary = nothingDone, diagnostics }) {
      events.end();
      await printDiagnostics(diagnostics, { color }, terminal);
      if (diagnostics.length > 0) terminal.out(renderDiagnosticsLine(diagnostics));
      terminal.out(renderSummaryLine(summary));
      await tellWhatIsLost(summary, status === "applied", terminal);
    },
  };
}

function textOutput(terminal: Terminal, color: boolean): ApplyOutput {
  let progress: Progress | undefined;
  let isPrune = false;
  return {
    async begin(plan) {
      isPrune = plan.options.prune !== undefined;
      const { openBar, openLines } = await import("../progress/progress.js");
      progress = (terminal.showsProgress ? openBar : openLines)(plan, terminal, color);
    },
    event: (event) => progress?.event(event),
    pace: (slowdown) => progress?.pace(slowdown),
    err: (text) => (progress ? progress.print(text) : terminal.err(text)),
    close: () => progress?.end(),
    async end(result) {
      progress?.end();
      await printResult(result, { color, isPrune }, terminal);
    },
  };
}

async function printResult(
  result: ApplyResult,
  { color, isPrune }: { readonly color: boolean; readonly isPrune: boolean },
  terminal: Terminal,
): Promise<void> {
  const { status, plan, summary, diagnostics } = result;
  if (summary) {
    await printDiagnostics(diagnostics, { color }, terminal);
    const { renderApplySummary } = await import("../../render/apply/apply-text.js");
    terminal.out(`${renderApplySummary(summary, { color, isPrune, isWhole: status === "applied" })}\n`);
    return await tellWhatIsLost(summary, status === "applied", terminal);
  }
  if (status === "declined") return terminal.err("Nothing was applied.\n");
  await printDiagnostics(diagnostics, { color }, terminal);
  if (status === "unchanged" && plan) {
    printPlanText(plan, color, terminal);
  }
  if (status === "moved" && plan && !hasErrors(diagnostics)) {
    terminal.err(`error: the plan is not the expected one; its digest is now ${plan.digest}\n`);
  }
}
