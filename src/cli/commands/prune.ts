import { hasErrors } from "../../core/finding/diagnostic.js";
import { noOptions } from "../../core/plan/plan-options.js";
import { planPrune } from "../../sync/prune.js";
import type { CommonOptions, RunnableCommand } from "../command.js";
import { exitCode, failureCode, UsageError } from "../exit-code.js";
import { addServiceOptions, withService, type ServiceFlags } from "../options/service-options.js";
import { readWorkspaceOptions } from "../options/workspace-options.js";
import { fail, printDiagnostics } from "../output/print-diagnostics.js";
import { addPlanFormat, printPlan, readPlanFormat, type PlanFormatFlags } from "../output/print-plan.js";
import { addRunOptions, pruneCode, readRunOptions, runApply, type RunFlags } from "../run-apply.js";

interface PruneFlags extends CommonOptions, ServiceFlags, RunFlags, PlanFormatFlags {
  readonly out?: string;
  readonly emulator?: boolean;
}

export const prune: RunnableCommand = {
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
  async run(ids, flags: PruneFlags, terminal) {
    const printing = readPlanFormat(flags);
    const { format } = printing;
    const { yes = false, out } = flags;
    const isShown = out !== undefined || (format !== "text" && !yes);
    if (isShown && yes) throw new UsageError("--out only saves the plan, and cannot be combined with --yes");
    const common = {
      ...readWorkspaceOptions(flags, terminal),
      options: { ...noOptions, emulator: flags.emulator === true },
    };
    if (!isShown) {
      if (format !== "text" && format !== "json") {
        throw new UsageError(`--format ${format} only shows the plan, and cannot be combined with --yes`);
      }
      const running = readRunOptions(flags, terminal);
      return await runApply({ ...common, ...running, prune: ids, service: flags, format }, terminal);
    }
    const request = { ...common, ...printing };
    return await withService(flags, request, terminal, async (service) => {
      const { plan, diagnostics } = await planPrune({ ...request, ...service, ids });
      if (!plan) return await fail(diagnostics, request, terminal);
      await printDiagnostics(diagnostics, request, terminal);
      if (hasErrors(diagnostics)) return failureCode(diagnostics);
      await printPlan(plan, { ...request, savedAs: out }, terminal);
      if (out !== undefined) {
        const { savePlan } = await import("../files/plan-file.js");
        if (!savePlan(plan, out, request.directory, terminal)) return exitCode.invalid;
      }
      return pruneCode(plan, ids);
    });
  },
};
