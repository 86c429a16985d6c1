import { unlockStore } from "../../sync/lock/edits.js";
import type { RunnableCommand } from "../command.js";
import { printRepair } from "../output/repair.js";
import { addLockOptions, readLockOptions, type LockFlags } from "../options/lock-options.js";

export const lockUnlock: RunnableCommand = {
  about:
    "For an apply that was killed. Nothing is released by its age: make sure that it does not run any more. Its unfinished creates become unknown.",
  examples: [
    ["agentform lock status", "find who holds the lock, and the nonce"],
    ["agentform lock unlock 0123456789abcdef", "release it"],
  ],
  documents: ["how-to/dead-runner.md", "explanation/state.md"],
  options(command) {
    command.argument(
      "<nonce>",
      "the nonce of the apply that holds the lock, as shown in the error `lock-held`",
    );
    addLockOptions(command);
  },
  async run([nonce = ""], flags: LockFlags, terminal) {
    const request = readLockOptions(flags, terminal);
    return await printRepair(await unlockStore(request, nonce), request, terminal);
  },
};
