import type { Command } from "commander";
import type { PlanRequest } from "../sync.js";
import { collect, type CommonOptions } from "./command.js";
import type { Terminal } from "./terminal.js";
import { readWorkspaceOptions, type WorkspaceRequest } from "./workspace-options.js";

/** The options that shape a plan, in `plan` and in `apply`. */
export interface PlanFlags extends CommonOptions {
  readonly replace?: string[];
  readonly resend?: string[];
  readonly emulator?: boolean;
}

/** Adds the options that shape a plan. */
export function addPlanOptions(command: Command): void {
  command
    .option("--replace <addr>", "create it anew, the old object staying behind; may be repeated", collect)
    .option("--resend <addr|all>", "send it again with its secrets; may be repeated", collect)
    .option("--emulator", "against the emulator in this process, with a lock of its own");
}

/** Makes the request of a plan of its options. */
export function readPlanOptions(flags: PlanFlags, terminal: Terminal): PlanRequest & WorkspaceRequest {
  return {
    ...readWorkspaceOptions(flags, terminal),
    options: { replace: new Set(flags.replace), resend: new Set(flags.resend) },
    emulator: flags.emulator === true,
  };
}
