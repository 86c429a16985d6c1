import { defineLockView } from "../lock/lock-view-command.js";

export const lockList = defineLockView({
  about: "Shows the ID of each, and what has an unknown outcome.",
  examples: [
    ["agentform lock list", "of the default environment"],
    ["agentform lock list -e production --format json", "for a script"],
  ],
  documents: ["state.md"],
  async text(state, request) {
    const { renderLockListText } = await import("../../render/lock/lock-list-text.js");
    return renderLockListText(state, request);
  },
  async json(state) {
    const { renderLockListJson } = await import("../../render/lock/lock-json.js");
    return renderLockListJson(state);
  },
});
