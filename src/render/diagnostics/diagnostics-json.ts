import type { Diagnostic } from "../../generated/diagnostics.js";
import { safeJson } from "../words/terminal-text.js";

/** Renders diagnostics as indented JSON (`agentform/diagnostics/v1`) without their frames, a line end at the end. */
export function renderDiagnosticsJson(diagnostics: readonly Diagnostic[]): string {
  const value = { format: "agentform/diagnostics/v1", diagnostics: withoutFrames(diagnostics) };
  return `${safeJson(JSON.stringify(value, null, 2))}\n`;
}

/** Gives diagnostics as programs get them. */
export function withoutFrames(diagnostics: readonly Diagnostic[]): Omit<Diagnostic, "frame">[] {
  return diagnostics.map(({ frame: _frame, ...diagnostic }) => diagnostic);
}
