import { defineLockView } from "../lock/lock-view-command.js";

export const lockList = defineLockView({
  async text(state, request) {
    const { renderLockListText } = await import("../../render/lock/lock-list-text.js");
    return renderLockListText(state, request);
  },
  async json(state) {
    const { renderLockListJson } = await import("../../render/lock/lock-json.js");
    return renderLockListJson(state);
  },
});
