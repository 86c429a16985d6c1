import { unlockStore } from "../../lock-edits.js";
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
