import { readLock } from "../../sync/lock/edits.js";
import { defineLockView } from "../lock/lock-view-command.js";

export const lockList = defineLockView({
  about: "Shows the ID of each, and what has an unknown outcome.",
  examples: [
    ["agentform lock list", "of the default environment"],
    ["agentform lock list -e production --format json", "for a script"],
  ],
  documents: ["explanation/state.md"],
  read: readLock,
  text: async (state, request) =>
    (await import("../../render/lock/lock-list-text.js")).renderLockListText(state, request),
  json: async (state) => (await import("../../render/lock/lock-json.js")).renderLockListJson(state),
});
