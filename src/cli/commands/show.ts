import type { MemberPlan } from "../../core/review/plans.js";
import { inFolder } from "../../core/resources/files-from-top.js";
import type { CommonOptions, RunnableCommand } from "../command.js";
import { exitCode } from "../exit-code.js";
import { readAnyPlanFile } from "../files/plan-file.js";
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
    const read = readAnyPlanFile(file, terminal.cwd);
    if (!read.ok) return await fail(read.diagnostics, request, terminal);
    const { saved } = read;
    // The other forms have them in the result.
    if (request.format === "text") {
      const ofEach = ({ folder, plan }: MemberPlan) => inFolder(plan.diagnostics, folder);
      const all = "plans" in saved ? saved.plans.flatMap(ofEach) : saved.diagnostics;
      await printDiagnostics(all, request, terminal);
    }
    await printPlan(saved, { ...request, savedAs: file }, terminal);
    return exitCode.fine;
  },
};
