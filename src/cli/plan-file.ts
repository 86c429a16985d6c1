import { randomBytes } from "node:crypto";
import { readFileSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic } from "../core/diagnostic.js";
import type { Plan } from "../core/plan.js";
import { locate } from "../core/position.js";
import { parseSavedPlan, renderSavedPlan } from "../core/saved-plan.js";
import { createDurably } from "../store/durable-file.js";
import { hash } from "../digest.js";
import { UsageError } from "./exit-code.js";

/** A saved plan as it was read: the plan, or what is wrong with the file. */
export type ReadPlan = { readonly plan: Plan } | { readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads a saved plan.
 * @throws UsageError where there is no file that can be read
 */
export function readPlanFile(file: string, cwd: string): ReadPlan {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), "utf8");
  } catch (cause) {
    throw new UsageError(`the plan ${file} cannot be read (${codeOf(cause)})`);
  }
  const parsed = parseSavedPlan(text, file, hash);
  if (!Array.isArray(parsed)) return { plan: parsed };
  return { diagnostics: locate(parsed, () => ({ text, quotable: false })) };
}

/** Writes a plan to a file, which is at every moment the one before or this one; gives why it could not be. */
export function writePlanFile(plan: Plan, file: string, cwd: string): string | undefined {
  const suffix = `.${randomBytes(8).toString("hex")}.tmp`;
  let draft: string | undefined;
  try {
    const named = resolve(cwd, file);
    const present = statSync(named, { throwIfNoEntry: false });
    // What is renamed to the place of a device would take its name from it.
    if (present && !present.isFile()) return `${file} cannot be written: it is no file`;
    const target = present ? realpathSync(named) : named;
    draft = target + suffix;
    createDurably(draft, renderSavedPlan(plan, hash));
    renameSync(draft, target);
    return undefined;
  } catch (cause) {
    if (draft !== undefined) rmSync(draft, { force: true });
    return `${file} cannot be written (${codeOf(cause)})`;
  }
}

function codeOf(cause: unknown): string {
  return (cause as NodeJS.ErrnoException).code ?? "error";
}
