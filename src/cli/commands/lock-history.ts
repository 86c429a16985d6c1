import { listVersions } from "../../sync/lock/versions.js";
import { defineLockView } from "../lock/lock-view-command.js";

export const lockHistory = defineLockView({
  about:
    "Shows serial, time and writer of each. A lock in files has its versions in the commits of git; most other stores keep their own.",
  examples: [
    ["agentform lock history", "of the default environment"],
    ["agentform lock history --format json", "for a script"],
  ],
  documents: ["explanation/state.md"],
  read: listVersions,
  text: async ({ source, versions }) =>
    (await import("../../render/lock/lock-list-text.js")).renderLockHistoryText(source, versions),
  json: async (state) => (await import("../../render/lock/lock-json.js")).renderLockHistoryJson(state),
});
