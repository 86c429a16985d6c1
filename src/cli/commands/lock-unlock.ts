import { unlockStore } from "../../sync/lock/edits.js";
import { defineCommand } from "../command.js";
import {
  addLockOptions,
  readLockOptions,
  type LockFlags,
  type LockRequest,
} from "../options/lock-options.js";
import { printRepair } from "../lock/repair.js";

interface UnlockRequest extends LockRequest {
  readonly nonce: string;
}

export const lockUnlock = defineCommand<UnlockRequest>({
  about:
    "For an apply that was killed. Nothing is released by its age: make sure that it does not run any more. Its unfinished creates become unknown.",
  examples: [
    ["agentform lock status", "find who holds the lock, and the nonce"],
    ["agentform lock unlock 0123456789abcdef", "release it"],
  ],
  documents: ["repairing-the-lock.md", "state.md"],
  options(command) {
    command.argument(
      "<nonce>",
      "the nonce of the apply that holds the lock, as shown in the error `lock-held`",
    );
    addLockOptions(command);
  },
  build([nonce = ""], flags: LockFlags, terminal) {
    return { ...readLockOptions(flags, terminal), nonce };
  },
  async run(request, terminal) {
    return await printRepair(await unlockStore(request, request.nonce), request, terminal);
  },
});
