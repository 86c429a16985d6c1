import { resolve } from "node:path";
import { Option } from "commander";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { Plan } from "../../core/plan/plan.js";
import { environmentSecrets } from "../../service/secret.js";
import { targetOf } from "../../service/target.js";
import type { ApplyRequest, ApplyResult } from "../../sync/request.js";
import { apply as applyWorkspace } from "../../sync/apply.js";
import { version } from "../../version.js";
import { openApplyDetails } from "../output/apply-details.js";
import { openApplyOutput } from "../output/apply-output.js";
import { collect, defineCommand } from "../command.js";
import { readConcurrency } from "../options/concurrency.js";
import { readDuration } from "../options/duration.js";
import { exitCode, failureCode, UsageError, type ExitCode } from "../exit-code.js";
import { operationsFor, startForWorkspace, type LocalEmulator } from "../local-emulator.js";
import { addPlanOptions, readAddresses, readPlanOptions, type PlanFlags } from "../options/plan-options.js";
import { checkCertificates, readEnvironment } from "../options/service-options.js";
import { printDiagnostics } from "../output/print-diagnostics.js";
import { watchSignals } from "../terminal/signals.js";
import { planTextOptions } from "../output/plan-text-options.js";
import type { Terminal } from "../terminal/terminal.js";
import type { WorkspaceRequest } from "../options/workspace-options.js";

interface ApplyFlags extends PlanFlags {
  readonly yes?: boolean;
  readonly expect?: string;
  readonly concurrency?: number;
  readonly patience?: number;
  readonly overwrite?: readonly string[];
  readonly check?: boolean;
  readonly verify?: boolean;
  readonly envFile?: string;
  readonly caFile?: string;
  readonly allowInsecureHttp?: boolean;
  readonly format?: "text" | "json";
}

interface ApplyCommandRequest
  extends WorkspaceRequest, Omit<ApplyRequest, "target" | "confirm" | "saved" | "caFile"> {
  /** The saved plan to run, as given by the user. */
  readonly planFile: string | undefined;
  readonly yes: boolean;
  readonly envFile: string | undefined;
  /** The file of certificates, as given by the user. */
  readonly certificateFile: string | undefined;
  readonly format: "text" | "json";
}

export const apply = defineCommand<ApplyCommandRequest>({
  about:
    "Makes a plan, shows it, asks, and carries it out. Each ID is recorded before it is used. A create whose outcome is unknown is never repeated. Without a terminal to ask on, it needs `--yes`.",
  examples: [
    ["agentform apply", "plan, ask, apply"],
    ["agentform apply plan.json --yes", "a saved plan, without a question"],
    ["agentform apply --emulator --yes", "try it without a service"],
  ],
  documents: ["answers.md", "gitops.md"],
  options(command) {
    command
      .argument("[file]", "a saved plan to run; a new plan is made if left out")
      .option("--yes", "do not ask")
      .option("--expect <digest>", "refuse every plan except the one with this digest")
      .option("--concurrency <n>", "the maximum number of requests in flight", readConcurrency, 8)
      .addOption(
        new Option(
          "--patience <time>",
          "how long to retry while the service refuses every request because of its rate limit; default `5m`",
        ).argParser((text) => readDuration("--patience", text)),
      )
      .option(
        "--overwrite <addr|all>",
        "update this object even if somebody changed it in the service; may be repeated",
        collect,
      )
      .option("--no-check", "do not read an object before its update, where the deployment can read it")
      .option("--verify", "read each object again after it was sent, where the deployment can read it")
      .option("--env-file <file>", "a file with environment variables")
      .option("--ca-file <file>", "a PEM file of certificates to trust in addition to the default ones")
      .option("--allow-insecure-http", "allow http (unencrypted) for an address other than loopback")
      .addOption(
        new Option("--format <format>", "the form of the result").choices(["text", "json"]).default("text"),
      );
    addPlanOptions(command);
  },
  async build([planFile], flags: ApplyFlags, terminal) {
    const {
      yes,
      expect,
      concurrency = 8,
      patience,
      envFile,
      caFile,
      allowInsecureHttp,
      format = "text",
    } = flags;
    if (yes !== true && !terminal.canAsk) {
      throw new UsageError(
        "there is no terminal for the question: review the plan, then pass --yes, or --expect with --yes",
      );
    }
    if (planFile !== undefined) refuseOptions(flags);
    return {
      ...(await readPlanOptions(flags, terminal)),
      planFile,
      yes: yes === true,
      envFile,
      certificateFile: caFile,
      concurrency,
      format,
      check: flags.check ?? true,
      overwrite: readAddresses("--overwrite", flags.overwrite, "all"),
      verify: flags.verify === true,
      ...(patience !== undefined && { patience }),
      userAgent: `agentform/${version}`,
      ...(expect !== undefined && { expect }),
      allowInsecureHttp: allowInsecureHttp === true,
    };
  },
  async run(request, terminal) {
    const saved = await readSaved(request.planFile, terminal);
    if (saved && "diagnostics" in saved) return await refuse(saved.diagnostics, request, terminal);
    const unusable = await checkCertificates(request.certificateFile, terminal);
    if (unusable.length > 0) return await refuse(unusable, request, terminal);
    const env = await readEnvironment(request.envFile, terminal);
    let emulator = undefined as LocalEmulator | undefined;
    const output = await openApplyOutput(request, terminal);
    const above: Terminal = { ...terminal, err: (text) => output.err(text) };
    const signals = watchSignals(above);
    const details = await openApplyDetails(above);
    let service = "the emulator";
    try {
      const result = await applyWorkspace({
        ...request,
        ...(saved && { saved }),
        ...(request.certificateFile !== undefined && {
          caFile: resolve(terminal.cwd, request.certificateFile),
        }),
        secrets: environmentSecrets(env),
        target: async (settings) => {
          details.planned(settings);
          if (request.options?.emulator) {
            emulator = await startForWorkspace(request, env, operationsFor(settings));
            return emulator.target;
          }
          service = settings.service.base_url ?? settings.service.rai_base_url ?? "no address";
          return targetOf(settings, environmentSecrets(env));
        },
        async confirm(plan, diagnostics) {
          const isConfirmed = await confirm(plan, diagnostics, { ...request, service }, terminal);
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
      return signals.drain.aborted ? exitCode.interrupted : exitCodeOf(result);
    } finally {
      output.close();
      details.close();
      signals.stop();
      await emulator?.close();
    }
  },
});

async function refuse(
  diagnostics: readonly Diagnostic[],
  request: ApplyCommandRequest,
  terminal: Terminal,
): Promise<ExitCode> {
  const output = await openApplyOutput(request, terminal);
  await output.end({ status: "refused", diagnostics });
  return exitCode.invalid;
}

// The options of a saved plan were fixed when it was made.
const shaping = [
  "target",
  "selector",
  "exclude",
  "changedSince",
  "replace",
  "resend",
  "lockFrom",
  "observed",
  "serviceMoved",
] as const;

function refuseOptions(flags: ApplyFlags): void {
  const given = shaping.find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  const option = given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(`--${option} has no effect on a saved plan: pass it to \`plan --out\``);
}

async function readSaved(planFile: string | undefined, terminal: Terminal) {
  if (planFile === undefined) return undefined;
  const { readPlanFile } = await import("../files/plan-file.js");
  const read = readPlanFile(planFile, terminal.cwd);
  return "plan" in read ? { plan: read.plan, file: planFile } : read;
}

async function confirm(
  plan: Plan,
  diagnostics: readonly Diagnostic[],
  { yes, format, color, service }: ApplyCommandRequest & { readonly service: string },
  terminal: Terminal,
): Promise<boolean> {
  if (format === "text") {
    await printDiagnostics(diagnostics, { color }, terminal);
    const { renderPlanText } = await import("../../render/plan/plan-text.js");
    terminal.out(renderPlanText(plan, planTextOptions(color, terminal)));
    terminal.out("\n");
  }
  if (yes) return true;
  const { ask } = await import("../terminal/ask.js");
  const { renderQuestion } = await import("../../render/apply/apply-question.js");
  for (const line of renderQuestion(plan, service)) terminal.out(`${line}\n`);
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
