import { readLock, type ReadLock } from "../../sync/lock/edits.js";
import { readVersion } from "../../sync/lock/versions.js";
import { startStages } from "../output/detail.js";
import type { LockViewRequest } from "../options/lock-options.js";
import { printDiagnostics, printFailure } from "../output/print-diagnostics.js";
import { failureCode, type ExitCode } from "../exit-code.js";
import type { Terminal } from "../terminal/terminal.js";

/** Reads the state, or an earlier version of its lock, and prints the diagnostics; gives the exit code if it cannot be read. */
export async function openState(
  request: LockViewRequest,
  terminal: Terminal,
  serial?: number,
): Promise<ReadLock | ExitCode> {
  const stages = startStages(terminal);
  const { state, diagnostics } =
    serial === undefined ? await readLock(request) : await readVersion(request, serial);
  stages.lap("read the workspace and the state");
  await (state ? printDiagnostics : printFailure)(diagnostics, request, terminal);
  return state ?? failureCode(diagnostics);
}
