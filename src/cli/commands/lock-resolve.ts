import { parseAdoption } from "../../core/plan/adoption.js";
import type { FileEntry } from "../../core/lock-edit/lock-edit-file.js";
import { notCreated } from "../../core/lock-edit/lock-edit-check.js";
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
import { repair, type EditSource } from "../lock/repair.js";

interface ResolveRequest extends LockRequest {
  readonly source: EditSource;
}

interface ResolveFlags extends LockFlags {
  readonly adopt?: string;
  readonly notCreated?: boolean;
  readonly partial?: boolean;
  readonly from?: string;
}

export const lockResolve = defineCommand<ResolveRequest>({
  options(command) {
    command
      .argument("[addr]", "the address whose create has an unknown outcome")
      .option("--adopt <id>", "it was created and has this ID; for a tool set operation=ID,operation=ID")
      .option("--partial", "for a tool set: only these tools were found, the rest stays unknown")
      .option("--not-created", "it was not created")
      .option("--from <file>", `a JSON object or CSV (address,id) of addresses and IDs, or ${notCreated}`);
    addLockOptions(command);
  },
  build(args, flags: ResolveFlags, terminal) {
    return { ...readLockOptions(flags, terminal), source: readSource(args, flags) };
  },
  run: async (request, terminal) => await repair(request, request.source, terminal),
});

function readSource([text]: readonly string[], flags: ResolveFlags): EditSource {
  const { adopt, notCreated: isNotCreated = false, partial: isPartial = false, from } = flags;
  if (from !== undefined) {
    if (text === undefined && adopt === undefined && !isNotCreated)
      return { from, toEdit: toEdit(isPartial) };
    throw new UsageError("--from cannot be combined with an address, --adopt or --not-created");
  }
  if (text === undefined || (adopt !== undefined) === isNotCreated) {
    throw new UsageError("give an address with either --adopt ID or --not-created, or --from FILE");
  }
  const address = readAddress(text);
  if (adopt === undefined && isPartial) throw new UsageError("--partial needs --adopt or --from");
  if (adopt === undefined) return [{ type: notCreated, address }];
  return [{ type: "resolve", address, adoption: parseAdoption(address, adopt), isPartial }];
}

function toEdit(isPartial: boolean): (entry: FileEntry) => LockEdit {
  return ({ address, value }) =>
    value === notCreated
      ? { type: notCreated, address }
      : { type: "resolve", address, adoption: value, isPartial };
}
