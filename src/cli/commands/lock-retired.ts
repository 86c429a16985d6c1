import { defineLockView } from "../lock-view-command.js";

export const lockRetired = defineLockView({
  async text(state, request) {
    const { renderLockRetiredText } = await import("../render/lock-retired-text.js");
    return renderLockRetiredText(state, request);
  },
  async json(state) {
    const { renderLockRetiredJson } = await import("../render/lock-json.js");
    return renderLockRetiredJson(state);
  },
});
