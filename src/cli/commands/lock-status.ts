import { hasErrors } from "../../core/finding/diagnostic.js";
import type { LockStatus } from "../../core/state/lock-status.js";
import { readStatus } from "../../sync/lock/status.js";
import { defineCommand } from "../command.js";
import { exitCode, type ExitCode } from "../exit-code.js";
import {
  addLockViewOptions,
  readLockViewOptions,
  type LockViewFlags,
  type LockViewRequest,
} from "../options/lock-options.js";
import { printDiagnostics, printFailure } from "../output/print-diagnostics.js";

export const lockStatus = defineCommand<LockViewRequest>({
  about: "Ends with 4 if the state is held or has moved, and with 0 if an apply may begin.",
  examples: [
    ["agentform lock status", "of the default environment"],
    ["agentform lock status -e production --format json", "for a script"],
  ],
  documents: ["state.md", "repairing-the-lock.md"],
  options: addLockViewOptions,
  build: (_args, flags: LockViewFlags, terminal) => readLockViewOptions(flags, terminal),
  async run(request, terminal) {
    const { found: status, diagnostics } = await readStatus(request);
    await (status ? printDiagnostics : printFailure)(diagnostics, request, terminal);
    if (!status) return exitCode.invalid;
    terminal.out(await render(status, request));
    return exitCodeOf(status, hasErrors(diagnostics));
  },
});

async function render(status: LockStatus, { format }: LockViewRequest): Promise<string> {
  if (format === "json") {
    const { renderLockStatusJson } = await import("../../render/lock/lock-json.js");
    return renderLockStatusJson(status);
  }
  const { renderLockStatusText } = await import("../../render/lock/lock-status-text.js");
  return renderLockStatusText(status, Date.now());
}

function exitCodeOf({ holder, movedTo, movingFrom }: LockStatus, isDamaged: boolean): ExitCode {
  if (movedTo || movingFrom) return exitCode.moved;
  if (isDamaged) return exitCode.invalid;
  return holder ? exitCode.moved : exitCode.fine;
}
