import type { Command } from "commander";
import { isAddress } from "../../core/kind/address.js";
import { noOptions } from "../../core/plan/plan-options.js";
import type { PlanRequest } from "../../sync/request.js";
import type { CommonOptions } from "../command.js";
import { UsageError } from "../exit-code.js";
import type { Terminal } from "../terminal/terminal.js";
import { checkReadable } from "../files/ca-file.js";
import { addResultFormat, type ResultFlags } from "../output/result.js";
import { readWorkspaceOptions, type WorkspaceRequest } from "./workspace-options.js";

/** The request of every command on the state. */
export type LockRequest = PlanRequest & WorkspaceRequest;

/** The options of every command on the state. */
export interface LockFlags extends CommonOptions, StoreFlags {
  readonly emulator?: boolean;
}

/** The options of commands on the state whose result is one document for programs. */
export interface LockResultFlags extends LockFlags, ResultFlags {}

/** The request of such a command. */
export type LockResultRequest = LockRequest & ResultFlags;

/** Adds the options of every command on the state. */
export function addLockOptions(command: Command): void {
  addEmulatorOption(command);
  addStoreOptions(command);
}

/** Adds the option that chooses the state of the emulator. */
export function addEmulatorOption(command: Command): void {
  command.option("--emulator", "use the lock of the emulator");
}

/** Adds the options of a command on the state whose result is one document for programs. */
export function addLockResultOptions(command: Command): void {
  addResultFormat(command);
  addLockOptions(command);
}

/** Reads the options of every command on the state. */
export function readLockOptions(flags: LockFlags, terminal: Terminal): LockRequest {
  const options = { ...noOptions, emulator: flags.emulator === true };
  return { ...readWorkspaceOptions(flags, terminal), ...readStoreOptions(flags, terminal), options };
}

/** Reads the options of such a command. */
export function readLockResultOptions(flags: LockResultFlags, terminal: Terminal): LockResultRequest {
  return { ...readLockOptions(flags, terminal), format: flags.format };
}

/** Reads an argument that must be an address. */
export function readAddress(text: string): string {
  if (isAddress(text)) return text;
  throw new UsageError(`an address has a form such as agent:support, not \`${text}\``);
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

/**
 * Reads the options for how a command reaches the store.
 * @throws UsageError if a file cannot be read
 */
export function readStoreOptions({ caFile }: StoreFlags, { cwd }: Terminal): { readonly caFile?: string } {
  return caFile === undefined ? {} : { caFile: checkReadable(caFile, cwd) };
}
