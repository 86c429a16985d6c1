import { defineLockView } from "../lock/lock-view-command.js";

export const lockRetired = defineLockView({
  async text(state, request) {
    const { renderLockRetiredText } = await import("../../render/lock/lock-retired-text.js");
    return renderLockRetiredText(state, request);
  },
  async json(state) {
    const { renderLockRetiredJson } = await import("../../render/lock/lock-json.js");
    return renderLockRetiredJson(state);
  },
});
