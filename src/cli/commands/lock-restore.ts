import { restoreLock } from "../../lock-restore.js";
import { defineCommand } from "../command.js";
import {
  addLockOptions,
  readLockOptions,
  type LockFlags,
  type LockRequest,
} from "../options/lock-options.js";
import { printRepair } from "../lock/repair.js";

export const lockRestore = defineCommand<LockRequest>({
  options: addLockOptions,
  build: (_args, flags: LockFlags, terminal) => readLockOptions(flags, terminal),
  async run(request, terminal) {
    return await printRepair(await restoreLock(request), request, terminal);
  },
});
