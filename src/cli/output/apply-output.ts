import type { ApplyEvent, ApplySummary } from "../../core/apply/apply-report.js";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { Plan } from "../../core/plan/plan.js";
import { recordedSettings } from "../../core/plan/plan-summary.js";
import type { Slowdown } from "../../core/observation/service.js";
import type { ApplyResult } from "../../sync/request.js";
import { jsonLine } from "../../render/words/json-text.js";
import { safeLine } from "../../render/words/terminal-text.js";
import { version } from "../../version.js";
import { printDiagnostics } from "./print-diagnostics.js";
import type { Progress } from "../progress/progress.js";
import { printPlanText } from "./print-plan.js";
import type { Terminal } from "../terminal/terminal.js";

/** Shows an apply: its progress, and how it ended. */
export interface ApplyOutput {
  /** Shows programs the plan, and the words of the command that agrees to it; people have seen it. */
  ask(plan: Plan, diagnostics: readonly Diagnostic[], command: readonly string[]): Promise<void>;
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

interface ApplyPrinting {
  readonly format: "text" | "json";
  readonly color: boolean;
  readonly maxBytes?: number;
  /** The folder of its workspace, where it is one of several. */
  readonly folder?: string;
}

/** Opens the output in a format. */
export async function openApplyOutput(request: ApplyPrinting, terminal: Terminal): Promise<ApplyOutput> {
  return request.format === "json" ? await jsonOutput(request, terminal) : textOutput(request, terminal);
}

/** Tells on standard error how an apply ended whose result cannot be written. */
async function tellWhatIsLost(summary: ApplySummary, isWhole: boolean, terminal: Terminal): Promise<void> {
  if (terminal.outFailure?.() === undefined) return;
  const { renderApplySummary } = await import("../../render/apply/apply-text.js");
  terminal.err(`${renderApplySummary(summary, { color: false, isWhole })}\n`);
}

async function jsonOutput(
  { color, maxBytes, folder }: ApplyPrinting,
  terminal: Terminal,
): Promise<ApplyOutput> {
  const {
    renderVersionLine,
    renderWorkspaceLine,
    renderDiagnosticsLine,
    renderSummaryLine,
    renderPlanLine,
    renderConfirmLine,
  } = await import("../../render/apply/apply-json.js");
  terminal.out(folder === undefined ? renderVersionLine(version) : renderWorkspaceLine(folder));
  return {
    async ask(plan, diagnostics, command) {
      await printDiagnostics(diagnostics, { color }, terminal);
      if (diagnostics.length > 0) terminal.out(renderDiagnosticsLine(diagnostics));
      terminal.out(renderPlanLine(plan, maxBytes) + renderConfirmLine(plan, command));
    },
    async begin({ diagnostics }) {
      if (diagnostics.length > 0) terminal.out(renderDiagnosticsLine(diagnostics));
    },
    event: (event) => terminal.out(jsonLine(event)),
    pace: () => undefined,
    err: (text) => terminal.err(text),
    close: () => undefined,
    async end({ status, summary = nothingDone, diagnostics }) {
      if (status === "pending") return;
      await printDiagnostics(diagnostics, { color }, terminal);
      if (diagnostics.length > 0) terminal.out(renderDiagnosticsLine(diagnostics));
      terminal.out(renderSummaryLine(summary));
      await tellWhatIsLost(summary, status === "applied", terminal);
    },
  };
}

function textOutput({ color, folder }: ApplyPrinting, terminal: Terminal): ApplyOutput {
  let progress: Progress | undefined;
  let isPrune = false;
  return {
    ask: async () => undefined,
    async begin(plan) {
      isPrune = plan.options.prune !== undefined;
      if (folder !== undefined) terminal.err(`${safeLine(folder)}:\n`);
      const { openBar, openLines } = await import("../progress/progress.js");
      progress = (terminal.showsProgress ? openBar : openLines)(plan, terminal, color);
    },
    event: (event) => progress?.event(event),
    pace: (slowdown) => progress?.pace(slowdown),
    err: (text) => (progress ? progress.print(text) : terminal.err(text)),
    close: () => progress?.end(),
    async end(result) {
      progress?.end();
      await printResult(result, { color, isPrune, folder }, terminal);
    },
  };
}

async function printResult(
  result: ApplyResult,
  {
    color,
    isPrune,
    folder,
  }: { readonly color: boolean; readonly isPrune: boolean; readonly folder: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const { status, plan, summary, diagnostics } = result;
  if (summary) {
    await printDiagnostics(diagnostics, { color }, terminal);
    const { renderApplySummary } = await import("../../render/apply/apply-text.js");
    const where = folder === undefined ? "" : `${safeLine(folder)}: `;
    const recorded = plan ? recordedSettings(plan) : 0;
    const ended = renderApplySummary(summary, { color, isPrune, isWhole: status === "applied", recorded });
    terminal.out(`${where}${ended}\n`);
    return await tellWhatIsLost(summary, status === "applied", terminal);
  }
  if (status === "pending") return;
  if (status === "declined") return terminal.err("Nothing was applied.\n");
  await printDiagnostics(diagnostics, { color }, terminal);
  if (status === "unchanged" && plan) {
    printPlanText(plan, color, terminal);
  }
}
