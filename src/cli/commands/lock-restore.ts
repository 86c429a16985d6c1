import { restoreLock } from "../../sync/lock/restore.js";
import type { RunnableCommand } from "../command.js";
import { printRepair } from "../output/repair.js";
import { addLockOptions, readLockOptions, type LockFlags } from "../options/lock-options.js";

export const lockRestore: RunnableCommand = {
  about:
    "After a revert, a reset or a merge that kept one side, the lock in the work tree lacks what was applied. This merges it with the newer versions in git, so that no ID is lost. A journal that belongs to another lock, or is damaged, is merged as far as it can be read, and kept aside.",
  examples: [
    ["agentform lock restore", "of the default environment"],
    ["agentform lock restore -e production", "of one environment"],
  ],
  documents: ["how-to/roll-back.md", "explanation/state.md"],
  options: addLockOptions,
  async run(_args, flags: LockFlags, terminal) {
    const request = readLockOptions(flags, terminal);
    return await printRepair(await restoreLock(request), request, terminal);
  },
};
