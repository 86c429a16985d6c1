import { readLock, type ReadLock } from "../lock-edits.js";
import type { LockRequest } from "./lock-options.js";
import { printDiagnostics } from "./print-diagnostics.js";
import type { Terminal } from "./terminal.js";

/** Reads the state and prints what was found on the way; undefined where it cannot be read. */
export async function openState(request: LockRequest, terminal: Terminal): Promise<ReadLock | undefined> {
  const { state, diagnostics } = await readLock(request);
  await printDiagnostics(diagnostics, request, terminal);
  return state;
}
