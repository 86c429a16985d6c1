import { readLock, type ReadLock } from "../../sync/lock/edits.js";
import { readVersion } from "../../sync/lock/versions.js";
import { defineCommand, type CommandManual, type RunnableCommand } from "../command.js";
import { exitCode, failureCode, type ExitCode } from "../exit-code.js";
import {
  addLockViewOptions,
  readLockViewOptions,
  type LockViewFlags,
  type LockViewRequest,
} from "../options/lock-options.js";
import { startStages } from "../output/detail.js";
import { printDiagnostics, printFailure } from "../output/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";

/** How a view of the whole state is rendered, by format. */
type LockView = CommandManual &
  Readonly<Record<LockViewRequest["format"], (state: ReadLock, request: LockViewRequest) => Promise<string>>>;

/** Makes a command that shows a view of the whole state. */
export function defineLockView({ text, json, ...manual }: LockView): RunnableCommand {
  const view = { text, json };
  return defineCommand<LockViewRequest>({
    ...manual,
    options: addLockViewOptions,
    build: (_args, flags: LockViewFlags, terminal) => readLockViewOptions(flags, terminal),
    async run(request, terminal) {
      const state = await openState(request, terminal);
      if (typeof state === "number") return state;
      terminal.out(await view[request.format](state, request));
      return exitCode.fine;
    },
  });
}

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
