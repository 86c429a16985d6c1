import { resolve } from "node:path";
import { realFolder } from "../../disk/real-path.js";
import type { Command } from "commander";
import type { CommonOptions } from "../command.js";
import { UsageError } from "../exit-code.js";
import { givenAmong } from "../options/plan-options.js";
import type { Terminal } from "../terminal/terminal.js";

/** The option for every workspace that is found. */
export interface SeveralFlags extends CommonOptions {
  readonly all?: boolean;
}

/** Adds the option for every workspace that is found. */
export function addAllOption(command: Command): void {
  command.option(
    "--all",
    "every workspace that git lists at or below the folder of `-C`, or of this folder, each after those that it uses",
  );
}

/** The options that shape a plan and name what one workspace alone has. */
export const ofOne = ["target", "exclude", "replace", "resend", "observed", "serviceMoved"] as const;

/** Whether a command line names several workspaces. */
export function namesSeveral({ all }: SeveralFlags, terminal: Terminal): boolean {
  return all === true || new Set(foldersTyped(terminal)).size > 1;
}

/** Gives the real folders that `-C` names. */
export function foldersTyped(terminal: Terminal): string[] {
  return (terminal.line?.options ?? []).flatMap(([long, value]) =>
    long === "--workspace" && value !== undefined ? [realOf(value, terminal)] : [],
  );
}

/** Gives the real path of a folder; what is not there is told when it is loaded. */
export function realOf(folder: string, { cwd }: Terminal): string {
  return realFolder(resolve(cwd, folder));
}

/** Refuses what only one workspace can have; throws UsageError. */
export function refuseOfOne<Flags>(flags: Flags, names: readonly (keyof Flags & string)[]): void {
  const given = givenAmong(flags, names);
  if (given === undefined) return;
  throw new UsageError(`${given} is of one workspace, and cannot be combined with several`, nameOne);
}

const nameOne = "name the one that is meant with `-C DIR`, without `--all`";
