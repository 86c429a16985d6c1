import { readUsedLock } from "../../sync/lock/used-lock.js";
import { defineLockView } from "../lock/lock-view-command.js";

export const lockRetired = defineLockView({
  about:
    "Objects stay behind after a replacement and when a document is removed. Delete them by hand, or with `agentform prune`.",
  examples: [
    ["agentform lock retired", "of the default environment"],
    ["agentform lock retired --format json", "for a script that deletes them"],
  ],
  documents: ["how-to/prune.md"],
  read: readUsedLock,
  text: async (state, request) =>
    (await import("../../render/lock/lock-list-text.js")).renderLockRetiredText(state, request),
  json: async (state) => (await import("../../render/lock/lock-json.js")).renderLockRetiredJson(state),
});
