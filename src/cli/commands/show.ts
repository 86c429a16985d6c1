import type { CommonOptions, RunnableCommand } from "../command.js";
import { exitCode } from "../exit-code.js";
import { readPlanFile } from "../files/plan-file.js";
import { fail, printDiagnostics } from "../output/print-diagnostics.js";
import { addPlanFormat, printPlan, readPlanFormat, type PlanFormatFlags } from "../output/print-plan.js";
import { wantsColor } from "../terminal/terminal.js";

export const show: RunnableCommand = {
  about: "Prints a plan that was saved with `agentform plan --out FILE`, as text or in a different form.",
  examples: [
    ["agentform show plan.json", "as text"],
    ["agentform show plan.json --format html > plan.html", "as a page for a browser"],
  ],
  documents: ["explanation/review.md"],
  options(command) {
    command.argument("<file>", "a plan saved with `plan --out`");
    addPlanFormat(command);
  },
  async run([file = ""], flags: CommonOptions & PlanFormatFlags, terminal) {
    const request = { ...readPlanFormat(flags), color: wantsColor(flags.color, terminal) };
    const read = readPlanFile(file, terminal.cwd);
    if (!read.ok) return await fail(read.diagnostics, request, terminal);
    // The other forms have them in the result.
    if (request.format === "text") await printDiagnostics(read.plan.diagnostics, request, terminal);
    await printPlan(read.plan, { ...request, savedAs: file }, terminal);
    return exitCode.fine;
  },
};
