import type { Command } from "commander";
import type { Diagnostic } from "../core/finding/diagnostic.js";
import type { Plan } from "../core/plan/plan.js";
import { apply } from "../sync/apply.js";
import type { ApplyRequest, ApplyResult } from "../sync/request.js";
import { exitCode, failureCode, UsageError, type ExitCode } from "./exit-code.js";
import { readConcurrency } from "./options/concurrency.js";
import { readDuration } from "./options/duration.js";
import { openService, type ServiceFlags } from "./options/service-options.js";
import type { WorkspaceRequest } from "./options/workspace-options.js";
import { openApplyDetails } from "./output/apply-details.js";
import { openApplyOutput } from "./output/apply-output.js";
import { planTextOptions } from "./output/plan-text-options.js";
import { printDiagnostics } from "./output/print-diagnostics.js";
import { watchSignals } from "./terminal/signals.js";
import type { Terminal } from "./terminal/terminal.js";

/** The options by which a person agrees to a plan, and how it is run. */
export interface RunFlags {
  readonly yes?: boolean;
  readonly expect?: string;
  readonly concurrency?: number;
  readonly patience?: number;
}

/** Adds the options by which a person agrees to a plan, and how it is run. */
export function addRunOptions(command: Command): void {
  command
    .option("--yes", "do not ask")
    .option("--expect <digest>", "refuse every plan except the one with this digest")
    .option("--concurrency <n>", "the maximum number of requests in flight", readConcurrency, 8)
    .option(
      "--patience <time>",
      "how long to retry while the service refuses every request because of its rate limit; default `5m`",
      (text) => readDuration("--patience", text),
    );
}

/**
 * Reads the options by which a person agrees to a plan, and how it is run.
 * @throws UsageError if nobody can be asked and nobody has agreed
 */
export function readRunOptions({ yes, expect, concurrency = 8, patience }: RunFlags, terminal: Terminal) {
  if (yes !== true && !terminal.canAsk) {
    throw new UsageError(
      "there is no terminal for the question: review the plan, then pass --yes, or --expect with --yes",
    );
  }
  return {
    yes: yes === true,
    concurrency,
    ...(patience !== undefined && { patience }),
    ...(expect !== undefined && { expect }),
  };
}

/** A plan to make, show, ask about and run. */
export interface CommandRun
  extends
    WorkspaceRequest,
    Omit<ApplyRequest, "target" | "confirm" | "caFile" | "userAgent" | "allowInsecureHttp"> {
  readonly yes: boolean;
  readonly service: ServiceFlags;
  readonly format: "text" | "json";
}

/** Runs a plan with its question, its progress and its result; gives how it ended, and the exit code of that. */
export async function runApply(
  request: CommandRun,
  terminal: Terminal,
): Promise<{ readonly code: ExitCode; readonly result: ApplyResult }> {
  const opened = await openService(request.service, request, terminal);
  const output = await openApplyOutput(request, terminal);
  if (!opened.ok) {
    const result = { status: "refused" as const, diagnostics: opened.diagnostics };
    await output.end(result);
    return { code: exitCode.invalid, result };
  }
  const { service } = opened;
  const above: Terminal = { ...terminal, err: (text) => output.err(text) };
  const signals = watchSignals(above);
  const details = await openApplyDetails(above);
  let address = "the emulator";
  try {
    const result = await apply({
      ...request,
      ...service,
      async target(settings) {
        details.planned(settings);
        const { base_url, rai_base_url } = settings.service;
        if (!request.options?.emulator) address = base_url ?? rai_base_url ?? "no address";
        return await service.target(settings);
      },
      async confirm(plan, diagnostics) {
        const isConfirmed = await confirm(plan, diagnostics, address, request, terminal);
        if (isConfirmed) {
          details.confirmed(plan);
          await output.begin(plan);
        }
        return isConfirmed;
      },
      onEvent: (event) => output.event(event),
      onPace: (slowdown) => output.pace(slowdown),
      drain: signals.drain,
    });
    await output.end(result);
    details.ended(result);
    return { code: signals.drain.aborted ? exitCode.interrupted : exitCodeOf(result), result };
  } finally {
    output.close();
    details.close();
    signals.stop();
    await service.close();
  }
}

/** Ends a command that cannot begin as an apply that was refused ends. */
export async function refuseApply(
  diagnostics: readonly Diagnostic[],
  request: Pick<CommandRun, "format" | "color">,
  terminal: Terminal,
): Promise<ExitCode> {
  const output = await openApplyOutput(request, terminal);
  await output.end({ status: "refused", diagnostics });
  return exitCode.invalid;
}

async function confirm(
  plan: Plan,
  diagnostics: readonly Diagnostic[],
  address: string,
  { yes, format, color }: CommandRun,
  terminal: Terminal,
): Promise<boolean> {
  if (format === "text") {
    await printDiagnostics(diagnostics, { color }, terminal);
    const { renderPlanText } = await import("../render/plan/plan-text.js");
    terminal.out(renderPlanText(plan, planTextOptions(color, terminal)));
    terminal.out("\n");
  }
  if (yes) return true;
  const { ask } = await import("./terminal/ask.js");
  const { renderQuestion } = await import("../render/apply/apply-question.js");
  for (const line of renderQuestion(plan, address)) terminal.out(`${line}\n`);
  return await ask("Type `yes` to apply: ");
}

function exitCodeOf({ status, summary, diagnostics }: ApplyResult): ExitCode {
  if (status === "moved") return exitCode.moved;
  if (status === "refused") return failureCode(diagnostics);
  if (status === "declined") return exitCode.invalid;
  if (!summary) return exitCode.fine;
  if (summary.unknown > 0) return exitCode.unknown;
  return summary.failed + summary.skipped + summary.blocked > 0 ? exitCode.invalid : exitCode.fine;
}
