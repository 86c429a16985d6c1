import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { SeenState } from "../../sync/request.js";
import type { CommandManual, RunnableCommand } from "../command.js";
import { exitCode, type ExitCode } from "../exit-code.js";
import {
  addLockOptions,
  readLockOptions,
  type LockRequest,
  type LockFlags,
} from "../options/lock-options.js";
import { startStages } from "../output/detail.js";
import { fail, printDiagnostics } from "../output/print-diagnostics.js";

/** What a command on the state shows: how it is read, and rendered by format. */
interface LockView<Shown> extends CommandManual {
  read(request: LockRequest): Promise<SeenState<Shown>>;
  text(state: Shown, request: LockRequest): Promise<string>;
  json(state: Shown): Promise<string>;
  /** How it ends after something was shown; well unless given. */
  code?(state: Shown, diagnostics: readonly Diagnostic[]): ExitCode;
}

/** Makes a command that shows the state, or something about it. */
export function defineLockView<Shown>({
  read,
  code,
  text,
  json,
  ...manual
}: LockView<Shown>): RunnableCommand {
  return {
    ...manual,
    options: addLockOptions,
    async run(_args, flags: LockFlags, terminal) {
      const request = readLockOptions(flags, terminal);
      const stages = startStages(terminal);
      const { state, diagnostics } = await read(request);
      stages.lap("read the workspace and the state");
      if (!state) return await fail(diagnostics, request, terminal);
      await printDiagnostics(diagnostics, request, terminal);
      terminal.out(request.format === "json" ? await json(state) : await text(state, request));
      return code ? code(state, diagnostics) : exitCode.fine;
    },
  };
}
