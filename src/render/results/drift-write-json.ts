import { differingRuns } from "../../core/review/differing-runs.js";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { EditedFile, KeptDrift } from "../../core/keep/keep-drift.js";
import type { Plan } from "../../core/plan/plan.js";
import type { DriftWriteAnswer } from "../../generated/drift-write.js";
import type { JsonObject } from "../../json/json.js";
import { pointerOf } from "../../json/json-pointer.js";
import { withoutFrames } from "../diagnostics/diagnostics-json.js";

/** What is rendered of a drift that is written. */
export interface WrittenDrift {
  readonly kept: KeptDrift;
  readonly plan: Pick<Plan, "workspace" | "environment" | "notes">;
  /** What is not written, with lines, and what else is to be said. */
  readonly left: readonly Diagnostic[];
  readonly diagnostics: readonly Diagnostic[];
}

type Left = DriftWriteAnswer["left"][number];

/** Makes the result of `drift --write` (`agentform/drift-write/v1`). */
export function driftWriteJson(
  { kept: { files, kept }, plan, left, diagnostics }: WrittenDrift,
  ending: Pick<DriftWriteAnswer, "type" | "digest" | "command">,
): DriftWriteAnswer {
  return {
    format: "agentform/drift-write/v1",
    ...ending,
    workspace: plan.workspace,
    environment: plan.environment,
    summary: { files: files.length, resources: kept.length, left: left.length },
    notes: plan.notes as unknown as JsonObject[],
    diagnostics: [...withoutFrames(diagnostics)],
    files: files.map((each) => ({ file: each.file, edits: editsOf(each) })),
    kept: kept.map(({ address, paths, secrets }) => ({
      address,
      paths: paths.map(pointerOf),
      secrets: secrets.map(({ name }) => name),
    })),
    left: left.map(leftOf),
  };
}

function leftOf({ address = "", parts = {}, message, hint, file, line }: Diagnostic): Left {
  const { field, reason } = parts as { field?: string; reason?: string };
  return {
    address,
    ...(field !== undefined && { field }),
    reason: reason ?? "",
    message,
    ...(hint !== undefined && { hint }),
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
  };
}

function editsOf({ before, after }: EditedFile): DriftWriteAnswer["files"][number]["edits"] {
  const [left, right] = [before.split("\n"), after.split("\n")];
  const runs = differingRuns(left, right) ?? [{ before: [0, left.length], after: [0, right.length] }];
  return runs.map((run) => ({
    line: run.before[0] + 1,
    removed: left.slice(...run.before),
    added: right.slice(...run.after),
  }));
}
