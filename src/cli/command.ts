import { type Command, Option } from "commander";
import { UsageError, type ExitCode } from "./exit-code.js";
import type { Terminal } from "./terminal/terminal.js";

/** A line of an example, and what it does. */
export type Example = readonly [line: string, does: string];

/** What the help of a command says beside its options. */
export interface CommandManual {
  /** What the command does, in a few sentences. */
  readonly about: string;
  /** Two or three examples, the most common one first. */
  readonly examples: readonly Example[];
  /** The files of `docs` that explain it. */
  readonly documents: readonly string[];
}

/** A command: its manual, its options, and how it is run. */
export interface RunnableCommand extends CommandManual {
  /** Adds arguments and options. */
  options(command: Command): void;
  /** Runs it with the parsed words of the command line, and gives the exit code; throws UsageError. */
  run(args: readonly string[], flags: CommonOptions, terminal: Terminal): Promise<ExitCode>;
}

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

/** Options that every command has. */
export interface CommonOptions {
  readonly workspace?: string;
  readonly environment?: string;
  readonly var?: string[];
  readonly varFile?: string[];
  readonly color?: boolean;
  readonly verbose?: boolean;
  readonly cache?: boolean;
}

/** Adds the options that every command has. */
export function addCommonOptions(command: Command): void {
  command
    .option(
      "-C, --workspace <dir>",
      "the folder with agentform.yaml; if left out, the nearest one from here upwards; `validate`, `plan` and `apply` take several",
    )
    .option("-e, --environment <name>", "the environment")
    .option("--var <name=value>", "the value of a variable; may be repeated", collect)
    .option("--var-file <file>", "a YAML or JSON file with values of variables; may be repeated", collect)
    .addOption(new Option("--color", "colour the output"))
    .addOption(new Option("--no-color", "do not colour the output"))
    .option("--verbose", "print details: what is read and sent, and how long it takes")
    .option("--no-cache", "do not use the cache of parsed files");
}

/** Makes an option whose value is one of some words. */
export function choosing(flags: string, about: string, choices: readonly string[], usual?: string): Option {
  return new Option(flags, about).choices(choices).default(usual);
}

/** Adds the option for the form of the result; the first one is the usual. */
export function addFormat(command: Command, formats: readonly string[]): void {
  command.addOption(choosing("--format <format>", "the form of the result", formats, formats[0]));
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** Gives a reader of the whole number that an option takes; what it must be is also said in words. */
export function wholeNumber(option: string, is: string, least = 0, most = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw new UsageError(`${option} must be ${is}, not \`${text}\``);
  };
}

/** Gives what stands for the value of an option in its definition, such as `addr`; empty where it takes none. */
export function placeholderOf({ flags }: Pick<Option, "flags">): string {
  return /[<[](.+?)(\.\.\.)?[>\]]/.exec(flags)?.[1] ?? "";
}

/** What the words of a command line name. */
export interface FoundCommand {
  /** The words of the command, such as `lock` and `show`; none for the program itself. */
  readonly path: readonly string[];
  /** The command, or its parent as long as no more is named; undefined for the program itself. */
  readonly entry: CommandEntry | undefined;
  /** The words after it. */
  readonly rest: readonly string[];
  /** The commands that can follow. */
  readonly below: readonly CommandEntry[];
}

/** Finds the command that the first words name. */
export function findCommand(words: readonly string[], commands: readonly CommandEntry[]): FoundCommand {
  let entry: CommandEntry | undefined;
  let below = commands;
  let length = 0;
  for (const word of words) {
    const next = below.find(({ name }) => name === word);
    if (!next) break;
    entry = next;
    below = "commands" in next ? next.commands : [];
    length += 1;
  }
  return { path: words.slice(0, length), entry, rest: words.slice(length), below };
}
