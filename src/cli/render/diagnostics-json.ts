import type { Diagnostic } from "../../generated/diagnostics.js";
import { safeJson } from "./terminal-text.js";

/** Renders diagnostics as indented JSON (`agentform/diagnostics/v1`) without their frames, a line end at the end. */
export function renderDiagnosticsJson(diagnostics: readonly Diagnostic[]): string {
  const shown = diagnostics.map(({ frame: _frame, ...diagnostic }) => diagnostic);
  const value = { format: "agentform/diagnostics/v1", diagnostics: shown };
  return `${safeJson(JSON.stringify(value, null, 2))}\n`;
}
