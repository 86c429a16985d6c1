import type { Diagnostic } from "../core/diagnostic.js";
import type { Terminal } from "./terminal.js";

/** Prints what was found to standard error, if anything was. */
export async function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  options: { readonly color: boolean },
  terminal: Terminal,
): Promise<void> {
  if (diagnostics.length === 0) return;
  const { renderDiagnosticsText } = await import("./render/diagnostics-text.js");
  terminal.err(`${renderDiagnosticsText(diagnostics, options)}\n`);
}
