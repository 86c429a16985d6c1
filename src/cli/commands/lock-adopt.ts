import { parseAdoption } from "../../core/plan/adoption.js";
import { repair, type EditSource } from "../lock/repair.js";
import { defineCommand } from "../command.js";
import { UsageError } from "../exit-code.js";
import {
  addLockOptions,
  readAddress,
  readLockOptions,
  type LockFlags,
  type LockRequest,
} from "../options/lock-options.js";

interface AdoptRequest extends LockRequest {
  readonly source: EditSource;
}

interface AdoptFlags extends LockFlags {
  readonly from?: string;
}

export const lockAdopt = defineCommand<AdoptRequest>({
  about:
    "Records the ID, so that the next apply updates the object instead of making one. `lifecycle.adopt` in the document does the same in git.",
  examples: [
    ["agentform lock adopt agent:support 66f1c0de0000000000000001", "one object"],
    [
      "agentform lock adopt toolset:helpdesk createTicket=T1,listTickets=T2",
      "a tool set, with the ID of each tool",
    ],
    ["agentform lock adopt --from ids.csv", "many, from a file"],
  ],
  documents: ["repairing-the-lock.md", "import.md"],
  options(command) {
    command
      .argument("[addr]", "the address of the document for this object")
      .argument("[id]", "the object's ID; for a tool set operation=ID,operation=ID")
      .option("--from <file>", "a JSON object or CSV (address,id) of addresses and IDs");
    addLockOptions(command);
  },
  build(args, flags: AdoptFlags, terminal) {
    return { ...readLockOptions(flags, terminal), source: readSource(args, flags) };
  },
  run: async (request, terminal) => await repair(request, request.source, terminal),
});

function readSource([text, id]: readonly string[], { from }: AdoptFlags): EditSource {
  if (from !== undefined) {
    if (text !== undefined) throw new UsageError("--from cannot be combined with an address and an ID");
    return { from, toEdit: ({ address, value }) => ({ type: "adopt", address, adoption: value }) };
  }
  if (text === undefined || id === undefined)
    throw new UsageError("give an address and an ID, or --from FILE");
  const address = readAddress(text);
  return [{ type: "adopt", address, adoption: parseAdoption(address, id) }];
}
