import type { ApplyEvent, ApplySummary } from "../../core/apply.js";
import { safeJson } from "./terminal-text.js";

/** Renders the first line of an apply's NDJSON: the format, and the version of agentform. */
export function renderApplyVersionJson(version: string): string {
  return renderLine({ type: "version", format: "agentform/apply/v1", version });
}

/** Renders one event of an apply as a line of NDJSON. */
export function renderApplyEventJson(event: ApplyEvent): string {
  return renderLine(event);
}

/** Renders the last line of an apply's NDJSON: how many actions ended how. */
export function renderApplySummaryJson(summary: ApplySummary): string {
  return renderLine({ type: "summary", ...summary });
}

function renderLine(value: object): string {
  return `${safeJson(JSON.stringify(value))}\n`;
}
