import { Option, type Command } from "commander";
import { isAddress } from "../../core/kind/address.js";
import { noOptions } from "../../core/plan/plan-options.js";
import type { PlanRequest } from "../../sync/request.js";
import type { CommonOptions } from "../command.js";
import { UsageError } from "../exit-code.js";
import type { Terminal } from "../terminal/terminal.js";
import { addStoreOptions, readStoreOptions, type StoreFlags } from "./store-options.js";
import { readWorkspaceOptions, type WorkspaceRequest } from "./workspace-options.js";

/** The request of every command on the state. */
export type LockRequest = PlanRequest & WorkspaceRequest;

/** The options of every command on the state. */
export interface LockFlags extends CommonOptions, StoreFlags {
  readonly emulator?: boolean;
}

/** The options of commands that show the state. */
export interface LockViewFlags extends LockFlags {
  readonly format?: "text" | "json";
}

/** The request of a command that shows the state. */
export interface LockViewRequest extends LockRequest {
  readonly format: "text" | "json";
}

/** Adds the options of every command on the state. */
export function addLockOptions(command: Command): void {
  addEmulatorOption(command);
  addStoreOptions(command);
}

/** Adds the option that chooses the state of the emulator. */
export function addEmulatorOption(command: Command): void {
  command.option("--emulator", "use the lock of the emulator");
}

/** Adds the options of a command that shows the state. */
export function addLockViewOptions(command: Command): void {
  command.addOption(
    new Option("--format <format>", "the form of the result").choices(["text", "json"]).default("text"),
  );
  addLockOptions(command);
}

/** Reads the options of every command on the state. */
export function readLockOptions(flags: LockFlags, terminal: Terminal): LockRequest {
  const options = { ...noOptions, emulator: flags.emulator === true };
  return { ...readWorkspaceOptions(flags, terminal), ...readStoreOptions(flags, terminal), options };
}

/** Reads the options of a command that shows the state. */
export function readLockViewOptions(flags: LockViewFlags, terminal: Terminal): LockViewRequest {
  return { ...readLockOptions(flags, terminal), format: flags.format ?? "text" };
}

/** Reads an argument that must be an address. */
export function readAddress(text: string): string {
  if (isAddress(text)) return text;
  throw new UsageError(`an address has a form such as agent:support, not \`${text}\``);
}
