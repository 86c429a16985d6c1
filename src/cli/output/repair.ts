import type { SearchedAddress } from "../../core/import/search-unknown.js";
import type { RepairResult } from "../../sync/lock/edits.js";
import { exitCode, type ExitCode } from "../exit-code.js";
import type { LockRequest } from "../options/lock-options.js";
import { failAs, printDiagnostics } from "../output/print-diagnostics.js";
import { printResult } from "../output/result.js";
import { repairJson } from "../../render/lock/repair-json.js";
import { renderRepair } from "../../render/lock/repair-text.js";
import type { Terminal } from "../terminal/terminal.js";

/** Prints the result of a repair of the state, one line for each thing that was done; gives the exit code. */
export async function printRepair(
  { status, changes = [], diagnostics }: RepairResult,
  request: LockRequest,
  terminal: Terminal,
  searched?: SearchedAddress,
): Promise<ExitCode> {
  const text = () => renderRepair(changes);
  if (status !== "done") {
    // A part of it may be done: beside a refusal as JSON it is told to people.
    terminal[request.format === "text" ? "out" : "err"](text());
    return await failAs({ status, diagnostics }, request, terminal);
  }
  await printDiagnostics(diagnostics, request, terminal);
  await printResult({ text, json: () => repairJson(changes, searched) }, request, terminal);
  return exitCode.fine;
}
