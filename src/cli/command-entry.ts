import type { RunnableCommand } from "./command.js";

/** The groups of the commands in the help. */
export type CommandGroup = "start" | "change" | "state" | "tools";

/** A command as listed in the help; its file is loaded when it runs, or when its help is shown. */
export interface SingleCommand {
  readonly name: string;
  readonly summary: string;
  load(): Promise<RunnableCommand>;
}

/** Commands that share their first word, such as `lock list`. */
export interface ParentCommand {
  readonly name: string;
  readonly summary: string;
  /** The files of `docs` that explain them. */
  readonly documents: readonly string[];
  readonly commands: readonly CommandEntry[];
}

export type CommandEntry = SingleCommand | ParentCommand;

/** All commands, group after group, in the order of the help. */
export type CommandList = readonly (CommandEntry & { readonly group: CommandGroup })[];
