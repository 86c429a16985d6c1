import { Option, type Command } from "commander";
import type { ExitCode } from "./exit-code.js";
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

/** A command: its manual, its options, how they become a request, and how that is run. */
interface CommandDefinition<Request> extends CommandManual {
  /** Adds arguments and options. */
  options(command: Command): void;
  /** Makes a request from the parsed options, or throws `UsageError`. */
  build(
    args: readonly string[],
    options: Record<string, unknown>,
    terminal: Terminal,
  ): Request | Promise<Request>;
  run(request: Request, terminal: Terminal): Promise<ExitCode>;
}

/** A command that can be run without knowing the type of its request. */
export interface RunnableCommand extends CommandManual {
  options(command: Command): void;
  /**
   * Runs it with the parsed words of the command line; gives the exit code.
   * @throws UsageError
   */
  run(args: readonly string[], options: Record<string, unknown>, terminal: Terminal): Promise<ExitCode>;
}

/** Makes a command from its parts. */
export function defineCommand<Request>({
  build,
  run,
  ...others
}: CommandDefinition<Request>): RunnableCommand {
  return {
    ...others,
    run: async (args, given, terminal) => run(await build(args, given, terminal), terminal),
  };
}

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
    .option("-C, --workspace <dir>", "the folder with agentform.yaml")
    .option("-e, --environment <name>", "the environment")
    .option("--var <name=value>", "the value of a variable; may be repeated", collect)
    .option("--var-file <file>", "a YAML or JSON file with values of variables; may be repeated", collect)
    .addOption(new Option("--color", "colour the output"))
    .addOption(new Option("--no-color", "do not colour the output"))
    .option("--verbose", "print details: what is read and sent, and how long it takes")
    .option("--no-cache", "do not use the cache of parsed files");
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}
