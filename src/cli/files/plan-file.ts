import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { Plan } from "../../core/plan/plan.js";
import { locate } from "../../core/position/position.js";
import { parseSavedPlan, planFormat, renderSavedPlan } from "../../core/plan/saved-plan.js";
import { mostOfOwn, readUserFile } from "./user-file.js";
import { writeWritten } from "./written-file.js";

/** A saved plan: the plan, or the problems of its file. */
export type ReadPlan = { readonly plan: Plan } | { readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads a saved plan.
 * @throws UsageError if there is no readable file
 */
export function readPlanFile(file: string, cwd: string): ReadPlan {
  const text = readUserFile(`the plan ${file}`, file, cwd, mostOfOwn);
  const parsed = parseSavedPlan(text, file);
  if (!Array.isArray(parsed)) return { plan: parsed };
  return { diagnostics: locate(parsed, () => ({ text, quotable: false })) };
}

/** Writes a plan to a file, whole or not at all; gives the reason if it fails. */
export function writePlanFile(plan: Plan, file: string, cwd: string, workspace: string): string | undefined {
  return writeWritten(renderSavedPlan(plan), { file, cwd, workspace, mark: planFormat });
}
