import { appendFileSync, readFileSync } from "node:fs";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { Plan } from "../../core/plan/plan.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { contentDigest } from "../../digest.js";
import type { Terminal } from "../terminal/terminal.js";

/** Leaves out warnings and notes that an earlier command of the job has printed, by a file that `ci/` names. */
export function withoutTold(
  diagnostics: readonly Diagnostic[],
  { env: { AGENTFORM_TOLD: file } }: Terminal,
): readonly Diagnostic[] {
  if (file === undefined) return diagnostics;
  const told = new Set(unlessFailing(() => readFileSync(file, "utf8").split("\n")));
  const shown = diagnostics.filter((each) => each.severity === "error" || !told.has(keyOf(each)));
  // Where that fails, the next command prints them again.
  unlessFailing(() => appendFileSync(file, shown.map((each) => `${keyOf(each)}\n`).join("")));
  return shown;
}

/** Whether what a command prints on both streams is in one log, where its warnings are above its result. */
function isInLog({ env: { CI, AGENTFORM_TOLD } }: Terminal): boolean {
  return CI !== undefined || AGENTFORM_TOLD !== undefined;
}

/** Leaves out what is above a plan in the log of a job: its warnings. */
export function withoutTwice(plan: Plan, terminal: Terminal): Plan {
  const diagnostics = plan.diagnostics.filter(({ severity }) => severity === "error" || !isInLog(terminal));
  return { ...plan, diagnostics };
}

function keyOf({ code, file, line, column, message }: Diagnostic): string {
  return contentDigest(JSON.stringify([code, file, line, column, message]));
}
