import type { ReadLock } from "../../lock-edits.js";
import { defineCommand } from "../command.js";
import { exitCode } from "../exit-code.js";
import {
  addLockViewOptions,
  readLockViewOptions,
  type LockViewFlags,
  type LockViewRequest,
} from "../lock-options.js";
import { openState } from "../open-state.js";

export const lockList = defineCommand<LockViewRequest>({
  options: addLockViewOptions,
  build: (_args, flags: LockViewFlags, terminal) => readLockViewOptions(flags, terminal),
  async run(request, terminal) {
    const state = await openState(request, terminal);
    if (!state) return exitCode.invalid;
    terminal.out(await render(state, request));
    return exitCode.fine;
  },
});

async function render(state: ReadLock, request: LockViewRequest): Promise<string> {
  if (request.format === "json") {
    const { renderLockListJson } = await import("../render/lock-json.js");
    return renderLockListJson(state);
  }
  const { renderLockListText } = await import("../render/lock-list-text.js");
  return renderLockListText(state, request);
}
