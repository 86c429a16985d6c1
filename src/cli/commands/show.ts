import { Option } from "commander";
import { defineCommand, type CommonOptions } from "../command.js";
import { exitCode } from "../exit-code.js";
import { readPlanFile } from "../plan-file.js";
import { printDiagnostics } from "../print-diagnostics.js";
import { planFormats, printPlan, type PlanFormat } from "../print-plan.js";
import { wantsColor } from "../terminal.js";

interface ShowRequest {
  /** The saved plan, as the user named it. */
  readonly file: string;
  readonly format: PlanFormat;
  readonly color: boolean;
}

export const show = defineCommand<ShowRequest>({
  options(command) {
    command
      .argument("<file>", "a plan that `plan --out` has saved")
      .addOption(
        new Option("--format <format>", "the form of the result").choices([...planFormats]).default("text"),
      );
  },
  build([file = ""], { color, format = "text" }: CommonOptions & { format?: PlanFormat }, terminal) {
    return { file, format, color: wantsColor(color, terminal) };
  },
  async run(request, terminal) {
    const read = readPlanFile(request.file, terminal.cwd);
    const diagnostics = "plan" in read ? read.plan.diagnostics : read.diagnostics;
    await printDiagnostics(diagnostics, request, terminal);
    if (!("plan" in read)) return exitCode.invalid;
    await printPlan(read.plan, request, terminal);
    return exitCode.fine;
  },
});
