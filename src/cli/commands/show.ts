import { defineCommand, type CommonOptions } from "../command.js";
import { exitCode } from "../exit-code.js";
import { readPlanFile } from "../files/plan-file.js";
import { printDiagnostics, printFailure } from "../output/print-diagnostics.js";
import {
  addPlanFormat,
  printPlan,
  readPlanFormat,
  type PlanFormatFlags,
  type PlanPrinting,
} from "../output/print-plan.js";
import { wantsColor } from "../terminal/terminal.js";

interface ShowRequest extends PlanPrinting {
  /** The saved plan, as given by the user. */
  readonly file: string;
  readonly color: boolean;
}

export const show = defineCommand<ShowRequest>({
  about: "Prints a plan that was saved with `agentform plan --out FILE`, as text or in a different form.",
  examples: [
    ["agentform show plan.json", "as text"],
    ["agentform show plan.json --format html > plan.html", "as a page for a browser"],
  ],
  documents: ["review.md"],
  options(command) {
    command.argument("<file>", "a plan saved with `plan --out`");
    addPlanFormat(command);
  },
  build([file = ""], flags: CommonOptions & PlanFormatFlags, terminal) {
    return { file, ...readPlanFormat(flags), color: wantsColor(flags.color, terminal) };
  },
  async run(request, terminal) {
    const read = readPlanFile(request.file, terminal.cwd);
    if (!read.ok) {
      await printFailure(read.diagnostics, request, terminal);
      return exitCode.invalid;
    }
    await printDiagnostics(read.plan.diagnostics, request, terminal);
    await printPlan(read.plan, { ...request, savedAs: request.file }, terminal);
    return exitCode.fine;
  },
});
