import { randomBytes } from "node:crypto";
import { lstatSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { Plan } from "../../core/plan/plan.js";
import { locate } from "../../core/position/position.js";
import { parseSavedPlan, renderSavedPlan } from "../../core/plan/saved-plan.js";
import { errorCode } from "../../disk/error-code.js";
import { LinkError, refuseLinks } from "../../disk/refuse-links.js";
import { createDurably } from "../../store/local/durable-file.js";
import { hash } from "../../digest.js";
import { checkoutFolders } from "./checkout-folders.js";
import { readUserFile } from "./user-file.js";

/** A saved plan: the plan, or the problems of its file. */
export type ReadPlan = { readonly plan: Plan } | { readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads a saved plan.
 * @throws UsageError if there is no readable file
 */
export function readPlanFile(file: string, cwd: string): ReadPlan {
  const text = readUserFile(`the plan ${file}`, file, cwd);
  const parsed = parseSavedPlan(text, file, hash);
  if (!Array.isArray(parsed)) return { plan: parsed };
  return { diagnostics: locate(parsed, () => ({ text, quotable: false })) };
}

/**
 * Writes a plan to a file: at every moment the file is either the old one or the new one, and no link that may have
 * come with a commit is followed; gives the reason if it fails.
 */
export function writePlanFile(plan: Plan, file: string, cwd: string, workspace: string): string | undefined {
  const target = resolve(cwd, file);
  const draft = `${target}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    refuseLinks(target, checkoutFolders(cwd, workspace));
    const present = lstatSync(target, { throwIfNoEntry: false });
    // A rename would replace a device by a file.
    if (present && !present.isFile()) return `${file} cannot be written: it is not a file`;
    createDurably(draft, renderSavedPlan(plan, hash));
    renameSync(draft, target);
    return undefined;
  } catch (cause) {
    if (cause instanceof LinkError) return `${file} cannot be written: ${cause.message}`;
    rmSync(draft, { force: true });
    return `${file} cannot be written (${errorCode(cause)})`;
  }
}
