import { hasErrors } from "../../core/finding/diagnostic.js";
import { noOptions } from "../../core/plan/plan-options.js";
import { planPrune } from "../../sync/prune.js";
import type { ApplyResult, PlanResult } from "../../sync/request.js";
import { defineCommand, type CommonOptions } from "../command.js";
import { exitCode, failureCode, UsageError, type ExitCode } from "../exit-code.js";
import { addServiceOptions, openService, type ServiceFlags } from "../options/service-options.js";
import { readWorkspaceOptions } from "../options/workspace-options.js";
import { printDiagnostics, printFailure } from "../output/print-diagnostics.js";
import {
  addPlanFormat,
  printPlan,
  readPlanFormat,
  type PlanFormatFlags,
  type PlanPrinting,
} from "../output/print-plan.js";
import { addRunOptions, readRunOptions, runApply, type RunFlags, type CommandRun } from "../run-apply.js";
import type { Terminal } from "../terminal/terminal.js";

interface PruneFlags extends CommonOptions, ServiceFlags, RunFlags, PlanFormatFlags {
  readonly out?: string;
  readonly emulator?: boolean;
}

interface PruneCommandRequest extends Omit<CommandRun, "format" | "prune"> {
  readonly prune: readonly string[];
  /** How to run the plan; unless given, it is shown alone. */
  readonly running?: Pick<CommandRun, "format">;
  readonly printing: PlanPrinting;
  /** The file to save the plan in, as given by the user. */
  readonly out: string | undefined;
}

export const prune = defineCommand<PruneCommandRequest>({
  about:
    "Plans to delete the objects that are left behind after replacements and removed documents and that nothing uses, shows the plan, asks, and carries it out. With `--out`, or another format than text and without `--yes`, the plan is only shown. The manifest must say how the deployment deletes.",
  examples: [
    ["agentform prune", "plan, ask, delete"],
    ["agentform prune --out prune.json", "save the plan, for `apply FILE`"],
    ["agentform prune 66f1c0de0000000000000001 --yes", "one of them, without a question"],
  ],
  documents: ["prune.md", "deployments.md"],
  options(command) {
    command
      .argument("[ids...]", "the IDs to delete, all of them in the ledger; the whole ledger if left out")
      .option("--out <file>", "save the plan, for `apply FILE`, and delete nothing");
    addRunOptions(command);
    command.option("--emulator", "prune the emulator in this process, with its own lock");
    addServiceOptions(command);
    addPlanFormat(command);
  },
  build(ids, flags: PruneFlags, terminal) {
    const printing = readPlanFormat(flags);
    const { format } = printing;
    const { yes = false, out } = flags;
    const isShown = out !== undefined || (format !== "text" && !yes);
    if (isShown && yes) throw new UsageError("--out only saves the plan, and cannot be combined with --yes");
    if (!isShown && format !== "text" && format !== "json") {
      throw new UsageError(`--format ${format} only shows the plan, and cannot be combined with --yes`);
    }
    return {
      ...readWorkspaceOptions(flags, terminal),
      options: { ...noOptions, emulator: flags.emulator === true },
      ...readRunOptions(isShown ? { ...flags, yes: true } : flags, terminal),
      ...(!isShown && (format === "text" || format === "json") && { running: { format } }),
      prune: ids,
      service: flags,
      printing,
      out,
    };
  },
  async run(request, terminal) {
    const { running } = request;
    if (!running) return await show(request, terminal);
    const { code, result } = await runApply({ ...request, ...running }, terminal);
    return code === exitCode.fine ? codeOf(result, request) : code;
  },
});

async function show(request: PruneCommandRequest, terminal: Terminal): Promise<ExitCode> {
  const { printing, color, out, directory } = request;
  const opened = await openService(request.service, request, terminal);
  if (!opened.ok) {
    await printFailure(opened.diagnostics, { ...printing, color }, terminal);
    return exitCode.invalid;
  }
  const { service } = opened;
  try {
    const planned = await planPrune({ ...request, ...service, ids: request.prune });
    const { plan, diagnostics } = planned;
    await (plan ? printDiagnostics : printFailure)(diagnostics, { ...printing, color }, terminal);
    if (!plan || hasErrors(diagnostics)) return failureCode(diagnostics);
    await printPlan(plan, { ...printing, color, savedAs: out }, terminal);
    if (out !== undefined) {
      const { savePlan } = await import("../files/plan-file.js");
      if (!savePlan(plan, out, directory, terminal)) return exitCode.invalid;
    }
    return codeOf(planned, request);
  } finally {
    await service.close();
  }
}

// What was named and stays was not done.
function codeOf({ plan }: PlanResult | ApplyResult, { prune: ids }: PruneCommandRequest): ExitCode {
  const isLeft = ids.length > 0 && plan?.diagnostics.some(({ code }) => code === "prune-kept");
  return isLeft ? exitCode.invalid : exitCode.fine;
}
