import { isatty } from "node:tty";
import type { Command } from "commander";
import { hasErrors, type Diagnostic } from "../core/finding/diagnostic.js";
import type { Plan } from "../core/plan/plan.js";
import { apply } from "../sync/apply.js";
import type { ApplyRequest, ApplyResult, ServiceAccess } from "../sync/request.js";
import { exitCode, failureCode, type ExitCode } from "./exit-code.js";
import { wholeNumber } from "./command.js";
import { withService, type ServiceWithState, type ServiceFlags } from "./options/service-options.js";
import type { WorkspaceRequest } from "./options/workspace-options.js";
import { openApplyDetails } from "./output/apply-details.js";
import { askToAgree } from "./output/agreement.js";
import { addAgreementOptions, readAgreement, type AgreementFlags } from "./options/agreement-options.js";
import type { Proposal } from "../sync/agreement.js";
import { openApplyOutput, type ApplyOutput } from "./output/apply-output.js";
import { printPlanText } from "./output/print-plan.js";
import { printDiagnostics } from "./output/print-diagnostics.js";
import { endWithoutTerminal } from "./terminal/lost-terminal.js";
import type { Terminal } from "./terminal/terminal.js";

/** The options by which a person agrees to a plan, and how it is run. */
export interface RunFlags extends AgreementFlags {
  readonly concurrency: number;
}

/** Adds the options by which a person agrees to a plan, and how it is run. */
export function addRunOptions(command: Command): void {
  addAgreementOptions(command);
  command.option(
    "--concurrency <n>",
    "the maximum number of requests in flight",
    wholeNumber("--concurrency", "a whole number from 1 to 1000", 1, 1000),
    8,
  );
}

/** Reads the options by which a person agrees to a plan, and how it is run. */
export function readRunOptions({ concurrency, ...agreement }: RunFlags) {
  return { ...readAgreement(agreement), concurrency };
}

/** A plan to make, show, ask about and run. */
export interface CommandRun extends WorkspaceRequest, Omit<ApplyRequest, keyof ServiceAccess | "confirm"> {
  readonly service: ServiceFlags;
  readonly format: "text" | "json";
  /** The maximum size of a plan that waits for an agreement, as JSON. */
  readonly maxBytes?: number;
}

/** Runs a plan with its question, its progress and its result. */
export async function runApply(request: CommandRun, terminal: Terminal): Promise<ExitCode> {
  const run = (service: ServiceWithState) => runWith(service, request, terminal);
  return await withService(request.service, request, terminal, run, refuseApply);
}

async function runWith(
  service: ServiceWithState,
  request: CommandRun,
  terminal: Terminal,
): Promise<ExitCode> {
  const output = await openApplyOutput(request, terminal);
  const above: Terminal = { ...terminal, err: (text) => output.err(text) };
  const { drain, halt, stop } = watchSignals(above);
  try {
    const agree: Agree = (proposal, address) =>
      confirm(proposal, address, output, { ...request, drain }, terminal);
    const result = await applyShown({ ...request, drain, halt }, service, output, agree, above);
    return drain.aborted ? exitCode.interrupted : exitCodeOf(result, request);
  } finally {
    output.close();
    stop();
  }
}

/** Shows a plan and finds out whether it is agreed to; the address is that of its service. */
type Agree = (proposal: Proposal<Plan>, address: string) => Promise<boolean | "pending">;

/** Applies, and shows how it goes and how it ended, if there is an output. */
export async function applyShown(
  request: CommandRun,
  service: ServiceAccess,
  output: ApplyOutput | undefined,
  agree: Agree,
  terminal: Terminal,
): Promise<ApplyResult> {
  const details = openApplyDetails(terminal);
  let address = "the emulator";
  try {
    const result = await apply({
      ...request,
      ...service,
      async target(settings) {
        details?.planned(settings);
        const { base_url, rai_base_url } = settings.service;
        if (!request.options?.emulator) address = base_url ?? rai_base_url ?? "no address";
        return await service.target(settings);
      },
      async confirm(proposal) {
        const answer = await agree(proposal, address);
        if (answer === true) {
          details?.confirmed(proposal.shown);
          await output?.begin(proposal.shown);
        }
        return answer;
      },
      onEvent(event) {
        request.onEvent?.(event);
        output?.event(event);
      },
      onPace: (slowdown) => output?.pace(slowdown),
    });
    await output?.end(result);
    details?.ended(result);
    return result;
  } finally {
    details?.close();
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
  { shown: plan, digest, diagnostics, isAgreed }: Proposal<Plan>,
  address: string,
  output: ApplyOutput,
  { format, color, drain }: CommandRun,
  terminal: Terminal,
): Promise<boolean | "pending"> {
  if (format === "text") {
    await printDiagnostics(diagnostics, { color }, terminal);
    printPlanText(plan, color, terminal);
    terminal.out("\n");
  }
  if (isAgreed) return true;
  const asking = {
    digest,
    format,
    ...(drain && { stop: drain }),
    verb: "apply",
    async before() {
      const { renderQuestion } = await import("../render/apply/apply-question.js");
      for (const line of renderQuestion(plan, address)) terminal.out(`${line}\n`);
    },
    tell: async (command: readonly string[]) => await output.ask(plan, diagnostics, command),
  };
  return await askToAgree(asking, terminal);
}

/** Gives how an apply ends the command. */
export function exitCodeOf(
  { status, plan, summary, diagnostics }: ApplyResult,
  request: Pick<CommandRun, "prune">,
): ExitCode {
  if (status === "moved") return exitCode.moved;
  // Also if the state could not be stored after that.
  if (summary && summary.unknown > 0) return exitCode.unknown;
  if (status === "refused") return failureCode(diagnostics);
  if (status === "pending") return exitCode.pending;
  if (status === "declined") return exitCode.invalid;
  const isIncomplete = summary && summary.failed + summary.skipped + summary.blocked > 0;
  return isIncomplete || hasErrors(diagnostics) ? exitCode.invalid : pruneCode(plan, request.prune);
}

/** Gives how a prune ends: what was named and stays was not done. */
export function pruneCode(plan: Plan | undefined, ids: readonly string[] = []): ExitCode {
  const isLeft = ids.length > 0 && plan?.diagnostics.some(({ code }) => code === "prune-kept");
  return isLeft ? exitCode.invalid : exitCode.fine;
}

/** A watch for a request to end the command, from a person or a machine. */
export interface Signals {
  /** Aborted at the first signal: nothing new is started. */
  readonly drain: AbortSignal;
  /** Aborted at the second, right before the process ends. */
  readonly halt: AbortSignal;
  stop(): void;
}

// What a person, a machine, or a terminal that is closed sends.
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

// A script passes on what the terminal or the CI has sent to its whole group: one wish arrives twice.
const samePress = 1_000;

/** Has the first of these signals let requests in flight finish, and one a second later end the process at once: the journal has everything but what is told. */
export function watchSignals(terminal: Terminal): Signals {
  const [first, second] = [new AbortController(), new AbortController()];
  let since = 0;
  const hasTerminal = [0, 1, 2].some(isatty);
  const onSignal = (signal: NodeJS.Signals) => {
    if (signal === "SIGHUP" && hasTerminal) endWithoutTerminal();
    if (first.signal.aborted) {
      if (performance.now() - since < samePress) return;
      second.abort();
      process.exit(exitCode.interrupted);
    }
    since = performance.now();
    first.abort();
    terminal.err(
      "Interrupted: requests in flight finish, nothing new starts. Interrupt again to stop at once.\n",
    );
  };
  for (const signal of endings) process.on(signal, onSignal);
  return {
    drain: first.signal,
    halt: second.signal,
    stop() {
      for (const signal of endings) process.off(signal, onSignal);
    },
  };
}
