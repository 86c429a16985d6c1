import { hasErrors } from "../../core/finding/diagnostic.js";
import { noOptions } from "../../core/plan/plan-options.js";
import { planPrune } from "../../sync/prune.js";
import type { CommonOptions, RunnableCommand } from "../command.js";
import { failureCode, UsageError } from "../exit-code.js";
import { givenAmong } from "../options/plan-options.js";
import { addServiceOptions, withService, type ServiceFlags } from "../options/service-options.js";
import { readWorkspaceOptions } from "../options/workspace-options.js";
import { fail, printDiagnostics } from "../output/print-diagnostics.js";
import { addPlanFormat, printSaved, readPlanFormat, type PlanFormatFlags } from "../output/print-plan.js";
import { addRunOptions, pruneCode, readRunOptions, runApply, type RunFlags } from "../run-apply.js";

interface PruneFlags extends CommonOptions, ServiceFlags, RunFlags, PlanFormatFlags {
  readonly out?: string;
  readonly emulator?: boolean;
}

export const prune: RunnableCommand = {
  about:
    "Plans to delete the objects that are left behind after replacements and removed documents and that nothing uses, shows the plan, asks, and carries it out. Where nobody can be asked, it ends with 2 and names the command that agrees. With `--out`, `--format markdown` or `--format html`, the plan is only shown. The manifest must say how the deployment deletes.",
  examples: [
    ["agentform prune", "plan, ask, delete"],
    ["agentform prune --out prune.json", "save the plan, for `apply FILE`"],
    ["agentform prune 66f1c0de0000000000000001 --yes", "one of them, without a question"],
  ],
  documents: ["how-to/prune.md", "reference/deployments.md"],
  options(command) {
    command
      .argument(
        "[ids...]",
        "the IDs of what to delete, or KIND:ID where several kinds have the same; all that is left behind if left out",
      )
      .option("--out <file>", "save the plan, for `apply FILE`, and delete nothing");
    addRunOptions(command);
    command.option("--emulator", "prune the emulator in this process, with its own lock");
    addServiceOptions(command);
    addPlanFormat(command);
  },
  async run(ids, flags: PruneFlags, terminal) {
    const printing = readPlanFormat(flags);
    const { format } = printing;
    const { out } = flags;
    const isShown = out !== undefined || (format !== "text" && format !== "json");
    const agreement = givenAmong(flags, ["yes", "expect"]);
    if (isShown && agreement !== undefined) {
      const shows = out === undefined ? `--format ${format} only shows` : "--out only saves";
      throw new UsageError(`${shows} the plan, and cannot be combined with ${agreement}`);
    }
    const common = {
      ...readWorkspaceOptions(flags, terminal),
      options: { ...noOptions, emulator: flags.emulator === true },
    };
    if (!isShown) {
      const running = { ...printing, ...readRunOptions(flags), prune: ids, service: flags };
      return await runApply({ ...common, ...running, format: format === "json" ? format : "text" }, terminal);
    }
    const request = { ...common, ...printing };
    return await withService(flags, request, terminal, async (service) => {
      const { plan, diagnostics } = await planPrune({ ...request, ...service, ids });
      if (!plan) return await fail(diagnostics, request, terminal);
      await printDiagnostics(diagnostics, request, terminal);
      if (hasErrors(diagnostics)) return failureCode(diagnostics);
      const { savePlan } = await import("../files/plan-file.js");
      const failure = out === undefined ? undefined : savePlan(plan, out, request.directory, terminal);
      const failed = await printSaved(plan, { ...request, savedAs: out }, failure, terminal);
      return failed ?? pruneCode(plan, ids);
    });
  },
};
