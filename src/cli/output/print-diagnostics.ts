import type { Diagnostic } from "../../core/finding/diagnostic.js";
import { codePageFor, type Terminal } from "../terminal/terminal.js";

/** Prints diagnostics to standard error, if there are any. */
export async function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  options: { readonly color: boolean },
  terminal: Terminal,
): Promise<void> {
  if (diagnostics.length === 0) return;
  const { renderDiagnosticsText } = await import("../../render/diagnostics/diagnostics-text.js");
  const codePage = await codePageFor("err", options.color, terminal);
  terminal.err(`${renderDiagnosticsText(diagnostics, { color: options.color, codePage })}\n`);
}

/** Prints the errors that prevent a command's result: on standard error, and with JSON also as the result. */
export async function printFailure(
  diagnostics: readonly Diagnostic[],
  options: { readonly color: boolean; readonly format: string },
  terminal: Terminal,
): Promise<void> {
  await printDiagnostics(diagnostics, options, terminal);
  if (options.format !== "json") return;
  const { renderDiagnosticsJson } = await import("../../render/diagnostics/diagnostics-json.js");
  terminal.out(renderDiagnosticsJson(diagnostics));
}
