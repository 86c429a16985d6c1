import type { ApplySummary } from "../../core/apply/apply-report.js";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { AnySaved } from "../../core/review/saved-plan.js";
import type { EndedWorkspace } from "../../generated/apply.js";
import type { Plan } from "../../generated/plan.js";
import { withoutFrames } from "../diagnostics/diagnostics-json.js";
import { shownSaved } from "../plan/plan-json.js";
import { confirmation } from "../words/confirmation.js";
import { jsonLine } from "../words/json-text.js";

/** Renders the first line of an apply's NDJSON: the format, and the version of agentform. */
export function renderVersionLine(version: string): string {
  return jsonLine({ type: "version", format: "agentform/apply/v1", version });
}

/** Renders the line that introduces the workspace of what follows, where there are several. */
export function renderWorkspaceLine(folder: string): string {
  return jsonLine({ type: "workspace", folder });
}

/** Renders what was found wrong with an apply as a line of NDJSON; the frames are for people. */
export function renderDiagnosticsLine(diagnostics: readonly Diagnostic[]): string {
  return jsonLine({ type: "diagnostics", diagnostics: withoutFrames(diagnostics) });
}

/** Renders what would be done, in one workspace or in several, as a line of NDJSON, in so many bytes at most if they are given. */
export function renderPlanLine(saved: AnySaved, maxBytes?: number): string {
  const type = "plans" in saved ? "plans" : "plan";
  return jsonLine({ type, [type]: shownSaved(saved, maxBytes) });
}

/** Renders what waits for an agreement as the last line of NDJSON, with the words of the command that agrees. */
export function renderConfirmLine(
  { digest, summary, notes }: Pick<Plan, "digest" | "summary" | "notes">,
  command: readonly string[],
): string {
  return jsonLine(confirmation({ digest, summary, notes, command }));
}

/** Renders the last line of an apply's NDJSON: how many actions ended how; of several, how each workspace ended. */
export function renderSummaryLine(summary: ApplySummary, workspaces?: readonly EndedWorkspace[]): string {
  return jsonLine({ type: "summary", ...summary, ...(workspaces && { workspaces }) });
}
