import type { Diagnostic } from "../../generated/diagnostics.js";
import { jsonLine, jsonText } from "../words/json-text.js";

/** Renders diagnostics as indented JSON (`agentform/diagnostics/v1`) without their frames, a line end at the end. */
export function renderDiagnosticsJson(diagnostics: readonly Diagnostic[]): string {
  return jsonText(documentOf(diagnostics));
}

/** Renders the same as one line of JSON. */
export function renderDiagnosticsLine(diagnostics: readonly Diagnostic[]): string {
  return jsonLine(documentOf(diagnostics));
}

function documentOf(diagnostics: readonly Diagnostic[]) {
  return { format: "agentform/diagnostics/v1", diagnostics: withoutFrames(diagnostics) };
}

/** Gives diagnostics as programs get them. */
export function withoutFrames(diagnostics: readonly Diagnostic[]): Omit<Diagnostic, "frame">[] {
  return diagnostics.map(({ frame: _frame, related, ...diagnostic }) => ({
    ...diagnostic,
    ...(related && { related: related.map(({ frame: _shown, ...place }) => place) }),
  }));
}
