import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isAddress } from "../../core/kind/address.js";
import type { Checked } from "../../core/finding/checked.js";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { Plan } from "../../core/plan/plan.js";
import { locate } from "../../core/position/position.js";
import {
  parseAnySaved,
  parseSavedPlan,
  renderSavedPlan,
  renderSavedPlans,
  type AnySaved,
} from "../../core/review/saved-plan.js";
import { planFormat } from "../../core/plan/plan-digest.js";
import { UsageError } from "../exit-code.js";
import { mostOfOwn, readUserFile } from "./user-file.js";
import type { Terminal } from "../terminal/terminal.js";
import { writeWritten } from "./written-file.js";

/** Reads a saved plan; throws UsageError if there is no readable file. */
export function readPlanFile(file: string, cwd: string): OrDiagnostics<{ readonly plan: Plan }> {
  return readWith(parseSavedPlan, file, cwd);
}

/** Reads what `plan --out` saved, of one workspace or several; throws UsageError if there is no readable file. */
export function readAnyPlanFile(file: string, cwd: string): OrDiagnostics<{ readonly saved: AnySaved }> {
  return readWith(parseAnySaved, file, cwd);
}

type OrDiagnostics<Value> =
  | (Value & { readonly ok: true })
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

function readWith<Value>(
  parse: (text: string, file: string) => Checked<Value>,
  file: string,
  cwd: string,
): OrDiagnostics<Value> {
  const other = insteadOf(file, cwd);
  if (other !== undefined)
    throw new UsageError(`the argument is the file of a saved plan, not \`${file}\``, other);
  const text = readUserFile(`the plan ${file}`, file, cwd, mostOfOwn);
  const parsed = parse(text, file);
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

/** Writes a plan, or those of several workspaces, to a file, whole or not at all; gives the reason if that fails. */
export function savePlan(
  saved: AnySaved,
  file: string,
  workspace: string,
  { cwd }: Pick<Terminal, "cwd">,
): string | undefined {
  const text = saved.format === planFormat ? renderSavedPlan(saved) : renderSavedPlans(saved);
  return writeWritten(text, { file, cwd, workspace, mark: "agentform/plan" });
}
