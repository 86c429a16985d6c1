import type { RepairResult } from "../../sync/lock/edits.js";
import { exitCode, failureCode, type ExitCode } from "../exit-code.js";
import type { LockRequest } from "../options/lock-options.js";
import { printDiagnostics } from "../output/print-diagnostics.js";
import { safeLine } from "../../render/words/terminal-text.js";
import type { Terminal } from "../terminal/terminal.js";

/** Prints the result of a repair of the state, one line for each thing that was done; gives the exit code. */
export async function printRepair(
  { status, changes = [], diagnostics }: RepairResult,
  { color }: LockRequest,
  terminal: Terminal,
): Promise<ExitCode> {
  await printDiagnostics(diagnostics, { color }, terminal);
  for (const change of changes) terminal.out(`${safeLine(change)}\n`);
  if (status === "moved") return exitCode.moved;
  return status === "done" ? exitCode.fine : failureCode(diagnostics);
}
