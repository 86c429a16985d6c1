import { Option } from "commander";
import { hasErrors } from "../../core/diagnostic.js";
import type { Plan } from "../../core/plan.js";
import { plan as buildPlan, type PlanRequest } from "../../sync.js";
import { defineCommand } from "../command.js";
import { exitCode, type ExitCode } from "../exit-code.js";
import { addPlanOptions, readPlanOptions, type PlanFlags } from "../plan-options.js";
import { printDiagnostics } from "../print-diagnostics.js";
import type { WorkspaceRequest } from "../workspace-options.js";

interface PlanCommandRequest extends PlanRequest, WorkspaceRequest {
  readonly format: "text" | "json";
  readonly detailedExitCode: boolean;
}

interface PlanCommandFlags extends PlanFlags {
  readonly format?: "text" | "json";
  readonly detailedExitcode?: boolean;
}

export const plan = defineCommand<PlanCommandRequest>({
  options(command) {
    command
      .addOption(new Option("--format <format>", "the form of the result").choices(["text", "json"]).default("text"))
      .option("--detailed-exitcode", "0 no changes, 2 changes pending, 3 an outcome is unknown");
    addPlanOptions(command);
    command.option("--lock-from <gitref>", "compare with the lock of that commit");
  },
  async build(_args, flags: PlanCommandFlags, terminal) {
    return {
      ...(await readPlanOptions(flags, terminal)),
      format: flags.format ?? "text",
      detailedExitCode: flags.detailedExitcode === true,
    };
  },
  async run(request, terminal) {
    const { plan: built, diagnostics } = await buildPlan(request);
    await printDiagnostics(diagnostics, request, terminal);
    if (!built) return exitCode.invalid;
    if (request.format === "json") {
      const { renderPlanJson } = await import("../render/plan-json.js");
      terminal.out(renderPlanJson(built));
    } else {
      const { renderPlanText } = await import("../render/plan-text.js");
      terminal.out(renderPlanText(built, request));
    }
    if (hasErrors(diagnostics)) return exitCode.invalid;
    return request.detailedExitCode ? detailed(built) : exitCode.fine;
  },
});

function detailed({ actions, summary }: Plan): ExitCode {
  if (summary.unknown > 0) return exitCode.unknown;
  return actions.length > 0 ? exitCode.pending : exitCode.fine;
}
