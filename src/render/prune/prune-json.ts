import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { PruneEvent, PruneSummary } from "../../core/prune/prune-event.js";
import type { Pruning } from "../../core/prune/pruning.js";
import { withoutFrames } from "../diagnostics/diagnostics-json.js";
import { jsonLine } from "../words/json-text.js";

/** Renders the first line of a prune's NDJSON: the format, and the version of agentform. */
export function renderPruneVersionLine(version: string): string {
  return jsonLine({ type: "version", format: "agentform/prune/v1", version });
}

/** Renders what a prune deletes and leaves as a line of NDJSON; what is deleted has no `kept`. */
export function renderPruningLine({ rows, undeletable, unseen }: Pruning): string {
  return jsonLine({ type: "objects", objects: rows, undeletable, unseen });
}

/** Renders one event of a prune as a line of NDJSON. */
export function renderPruneEventLine(event: PruneEvent): string {
  return jsonLine(event);
}

/** Renders what was found wrong as a line of NDJSON; the frames are for people. */
export function renderPruneDiagnosticsLine(diagnostics: readonly Diagnostic[]): string {
  return jsonLine({ type: "diagnostics", diagnostics: withoutFrames(diagnostics) });
}

/** Renders the last line of a prune's NDJSON: how many objects ended how. */
export function renderPruneSummaryLine(summary: PruneSummary): string {
  return jsonLine({ type: "summary", ...summary });
}
