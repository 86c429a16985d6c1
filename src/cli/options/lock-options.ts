import type { Command } from "commander";
import { isAddress } from "../../core/kind/address.js";
import { noOptions } from "../../core/plan/plan-options.js";
import type { PlanRequest } from "../../sync/request.js";
import type { CommonOptions } from "../command.js";
import { kindsText } from "./plan-options.js";
import { UsageError } from "../exit-code.js";
import type { Terminal } from "../terminal/terminal.js";
import { checkReadable } from "../files/user-file.js";
import { addResultFormat, type ResultFormat } from "../output/result.js";
import { readWorkspaceOptions, type WorkspaceRequest } from "./workspace-options.js";

/** The options of every command on the state. */
export interface LockFlags<Format extends string = ResultFormat> extends CommonOptions, StoreFlags {
  readonly emulator?: boolean;
  readonly format: Format;
}

/** The request of every command on the state. */
export type LockRequest<Format extends string = ResultFormat> = PlanRequest &
  WorkspaceRequest &
  Pick<LockFlags<Format>, "format">;

/** Adds the options of a command on the state whose result is one document for programs. */
export function addLockOptions(command: Command): void {
  addResultFormat(command);
  addEmulatorOption(command);
  addStoreOptions(command);
}

/** Adds the option that chooses the state of the emulator. */
export function addEmulatorOption(command: Command): void {
  command.option("--emulator", "use the lock of the emulator");
}

/** Reads the options of every command on the state. */
export function readLockOptions<Format extends string>(
  flags: LockFlags<Format>,
  terminal: Terminal,
): LockRequest<Format> {
  const options = { ...noOptions, emulator: flags.emulator === true };
  const { format } = flags;
  return { ...readWorkspaceOptions(flags, terminal), ...readStoreOptions(flags, terminal), options, format };
}

/** Reads an argument that must be an address. */
export function readAddress(text: string): string {
  if (isAddress(text)) return text;
  throw new UsageError(`an address has a form such as agent:support, not \`${text}\``, kindsText);
}

/** The options for how a command reaches the store of lock and journal. */
export interface StoreFlags {
  readonly caFile?: string;
}

/** Adds the options for how a command that sends nothing to the service reaches the store. */
export function addStoreOptions(command: Command): void {
  command.option(
    "--ca-file <file>",
    "a PEM file of certificates to trust for a store on a server, in addition to the default ones",
  );
}

/** Reads the options for how a command reaches the store; throws UsageError if a file cannot be read. */
export function readStoreOptions({ caFile }: StoreFlags, { cwd }: Terminal): { readonly caFile?: string } {
  return caFile === undefined ? {} : { caFile: checkReadable(caFile, cwd) };
}
