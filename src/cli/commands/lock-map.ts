import type { LockEdit } from "../../core/lock-edit/lock-edit.js";

import { defineCommand } from "../command.js";
import { UsageError } from "../exit-code.js";
import {
  addLockOptions,
  readAddress,
  readLockOptions,
  type LockFlags,
  type LockRequest,
} from "../options/lock-options.js";
import { repair } from "../lock/repair.js";

interface MapRequest extends LockRequest {
  readonly edit: LockEdit;
}

export const lockMap = defineCommand<MapRequest>({
  about:
    "Needed when the answers of the service do not say which ID is which operation, and a document refers to a single tool.",
  examples: [
    ["agentform lock map toolset:helpdesk createTicket=T1 listTickets=T2", "two operations of a tool set"],
    ["agentform lock map toolset:helpdesk 'GET /tickets=T2'", "an operation without an operationId"],
  ],
  documents: ["answers.md"],
  options(command) {
    command
      .argument("<addr>", "the address of the tool set")
      .argument("<operation=id...>", "the ID of each operation");
    addLockOptions(command);
  },
  build([text = "", ...pairs], flags: LockFlags, terminal) {
    const wrong = pairs.find((pair) => pair.indexOf("=") < 1);
    if (wrong !== undefined) throw new UsageError(`write a tool as operation=ID, not \`${wrong}\``);
    const edit: LockEdit = { type: "map", address: readAddress(text), pairs };
    return { ...readLockOptions(flags, terminal), edit };
  },
  async run(request, terminal) {
    return await repair(request, [request.edit], terminal);
  },
});
