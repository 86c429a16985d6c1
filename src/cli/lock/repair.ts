import { hasErrors } from "../../core/finding/diagnostic.js";
import { parseEditFile, type FileEntry } from "../../core/lock-edit/lock-edit-file.js";
import type { LockEdit } from "../../core/lock-edit/lock-edit.js";
import { locate } from "../../core/position/position.js";
import { repairLock, type RepairResult } from "../../sync/lock/edits.js";
import { exitCode, failureCode, type ExitCode } from "../exit-code.js";
import type { LockRequest } from "../options/lock-options.js";
import { printDiagnostics } from "../output/print-diagnostics.js";
import { safeLine } from "../../render/words/terminal-text.js";
import type { Terminal } from "../terminal/terminal.js";
import { readUserFile } from "../files/user-file.js";

/** The edits of a command: given directly, or as a file, with the meaning of each of its entries. */
export type EditSource =
  | readonly LockEdit[]
  | { readonly from: string; readonly toEdit: (entry: FileEntry) => LockEdit };

/**
 * Repairs the state and prints what was done, one line each; gives the exit code.
 * @throws UsageError if there is no readable file
 */
export async function repair(
  request: LockRequest,
  source: EditSource,
  terminal: Terminal,
): Promise<ExitCode> {
  if (!("from" in source)) return await printRepair(await repairLock(request, source), request, terminal);
  const { from, toEdit } = source;
  const text = readUserFile(`--from ${from}`, from, terminal.cwd);
  const { entries, findings } = parseEditFile(text, from);
  if (hasErrors(findings)) {
    await printDiagnostics(
      locate(findings, () => ({ text, quotable: false })),
      request,
      terminal,
    );
    return exitCode.invalid;
  }
  return await printRepair(await repairLock(request, entries.map(toEdit)), request, terminal);
}

/** Prints the result of a repair of the state; gives the exit code. */
export async function printRepair(
  { status, changes, diagnostics }: RepairResult,
  { color }: LockRequest,
  terminal: Terminal,
): Promise<ExitCode> {
  await printDiagnostics(diagnostics, { color }, terminal);
  for (const change of changes) terminal.out(`${safeLine(change)}\n`);
  if (status === "moved") return exitCode.moved;
  return status === "done" ? exitCode.fine : failureCode(diagnostics);
}
