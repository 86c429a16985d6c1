import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isAddress } from "../../core/kind/address.js";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { Plan } from "../../core/plan/plan.js";
import { locate } from "../../core/position/position.js";
import { parseSavedPlan, planFormat, renderSavedPlan } from "../../core/plan/saved-plan.js";
import { UsageError } from "../exit-code.js";
import { mostOfOwn, readUserFile } from "./user-file.js";
import type { Terminal } from "../terminal/terminal.js";
import { writeWritten } from "./written-file.js";

/** A saved plan: the plan, or the problems of its file. */
export type ReadPlan =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads a saved plan.
 * @throws UsageError if there is no readable file
 */
export function readPlanFile(file: string, cwd: string): ReadPlan {
  const other = insteadOf(file, cwd);
  if (other !== undefined)
    throw new UsageError(`the argument is the file of a saved plan, not \`${file}\``, other);
  const text = readUserFile(`the plan ${file}`, file, cwd, mostOfOwn);
  const parsed = parseSavedPlan(text, file);
  if (parsed.ok) return parsed;
  return { ok: false, diagnostics: locate(parsed.problems, () => ({ text, quotable: false })) };
}

// An address, or a document, in the place of the plan.
function insteadOf(file: string, cwd: string): string | undefined {
  if (isAddress(file) && !existsSync(resolve(cwd, file))) {
    return `\`agentform lock show ${file}\` shows what was applied, \`agentform render ${file}\` the document, and \`--target ${file}\` limits a plan or an apply`;
  }
  return /\.ya?ml$/i.test(file)
    ? "all documents of the workspace are read together: `--target ADDR` limits a plan or an apply, such as `agentform apply --target agent:support`"
    : undefined;
}

/** Writes a plan to a file, whole or not at all; gives the reason if that fails. */
export function savePlan(
  plan: Plan,
  file: string,
  workspace: string,
  { cwd }: Pick<Terminal, "cwd">,
): string | undefined {
  return writeWritten(renderSavedPlan(plan), { file, cwd, workspace, mark: planFormat });
}
