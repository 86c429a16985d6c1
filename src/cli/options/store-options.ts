import type { Command } from "commander";
import { checkReadable } from "../files/ca-file.js";
import type { Terminal } from "../terminal/terminal.js";

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
