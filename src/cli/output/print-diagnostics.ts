import type { Code, Diagnostic } from "../../core/finding/diagnostic.js";
import type { Refused } from "../../sync/transact.js";
import { exitCode, failureCode, type ExitCode } from "../exit-code.js";
import { withoutTold } from "./told.js";
import { codePageFor, type Terminal } from "../terminal/terminal.js";

/** Prints diagnostics to standard error, if there are any that the log of the job does not have. */
export async function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  { color }: { readonly color: boolean },
  terminal: Terminal,
): Promise<void> {
  const shown = withoutTold(diagnostics, terminal);
  if (shown.length === 0) return;
  const { renderDiagnosticsText } = await import("../../render/diagnostics/diagnostics-text.js");
  const codePage = await codePageFor("err", color, terminal);
  terminal.err(`${renderDiagnosticsText(shown, { color, codePage })}\n`);
}

/** Prints the errors that prevent a command's result: on standard error, and with JSON also as the result; gives the exit code. */
export async function fail(
  diagnostics: readonly Diagnostic[],
  options: { readonly color: boolean; readonly format?: string },
  terminal: Terminal,
): Promise<ExitCode> {
  await printDiagnostics(diagnostics, options, terminal);
  if (options.format === "json") {
    const { renderDiagnosticsJson } = await import("../../render/diagnostics/diagnostics-json.js");
    terminal.out(renderDiagnosticsJson(diagnostics));
  }
  return failureCode(diagnostics);
}

/** Prints why something was not done, as `fail` does; gives the exit code. */
export async function failAs(
  { status, diagnostics }: Refused,
  options: { readonly color: boolean; readonly format?: string },
  terminal: Terminal,
): Promise<ExitCode> {
  const code = await fail(diagnostics, options, terminal);
  return status === "moved" ? exitCode.moved : code;
}

/** Prints why nothing was done, for what has no place in a workspace; gives the exit code. */
export async function refuse(
  code: Code,
  message: string,
  { format }: { readonly format?: string },
  terminal: Terminal,
): Promise<ExitCode> {
  const { safeLine } = await import("../../render/words/terminal-text.js");
  terminal.err(`error: ${safeLine(message)}\n`);
  if (format === "json") {
    const { renderDiagnosticsJson } = await import("../../render/diagnostics/diagnostics-json.js");
    terminal.out(renderDiagnosticsJson([{ code, severity: "error", message }]));
  }
  return exitCode.invalid;
}
