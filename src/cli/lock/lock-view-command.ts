import type { ReadLock } from "../../sync/lock/edits.js";
import { defineCommand, type CommandManual, type RunnableCommand } from "../command.js";
import { exitCode } from "../exit-code.js";
import {
  addLockViewOptions,
  readLockViewOptions,
  type LockViewFlags,
  type LockViewRequest,
} from "../options/lock-options.js";
import { openState } from "./open-state.js";

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
