import { hasErrors } from "../../core/finding/diagnostic.js";
import { readStatus } from "../../sync/lock/status.js";
import { exitCode } from "../exit-code.js";
import { defineLockView } from "../lock/lock-view-command.js";

export const lockStatus = defineLockView({
  about: "Ends with 4 if the state is held or has moved, and with 0 if an apply may begin.",
  examples: [
    ["agentform lock status", "of the default environment"],
    ["agentform lock status -e production --format json", "for a script"],
  ],
  documents: ["how-to/dead-runner.md", "explanation/state.md"],
  read: readStatus,
  text: async (state) =>
    (await import("../../render/lock/lock-status-text.js")).renderLockStatusText(state, Date.now()),
  json: async (state) => (await import("../../render/lock/lock-json.js")).renderLockStatusJson(state),
  code({ holder, movedTo, movingFrom }, diagnostics) {
    if (movedTo || movingFrom) return exitCode.moved;
    if (hasErrors(diagnostics)) return exitCode.invalid;
    return holder ? exitCode.moved : exitCode.fine;
  },
});
