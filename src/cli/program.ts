import { Command } from "commander";
import { addCommonOptions, type CommonOptions, type RunnableCommand } from "./command.js";
import { commands, type CommandEntry, type SingleCommand } from "./commands.js";
import { exitCode, type ExitCode } from "./exit-code.js";
import { printDetail } from "./output/detail.js";
import type { Terminal } from "./terminal/terminal.js";
import { version } from "../version.js";

/**
 * Runs the command that the arguments name; gives its exit code.
 * @throws CommanderError or UsageError if the arguments are wrong
 */
export async function runProgram(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const program = new Command("agentform")
    .description(
      "Plan and apply for fleets of AI agents: policies, tool sets, credentials and agents as YAML in git.",
    )
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) })
    .showHelpAfterError("(`agentform --help` lists the commands)");
  let code: ExitCode = exitCode.fine;
  await addCommands(program, commands, argv, terminal, (result) => (code = result));
  if (argv.length === 0) {
    program.outputHelp();
    return exitCode.usage;
  }
  await program.parseAsync(argv, { from: "user" });
  return code;
}

// Only the named command is loaded; the others are a line in the help.
async function addCommands(
  parent: Command,
  entries: readonly CommandEntry[],
  words: readonly string[],
  terminal: Terminal,
  done: (code: ExitCode) => void,
): Promise<void> {
  const at = words.findIndex((word) => entries.some(({ name }) => name === word));
  for (const entry of entries) {
    const command = parent.command(entry.name).description(entry.summary).exitOverride();
    if (entry.name !== words[at]) continue;
    if ("commands" in entry) await addCommands(command, entry.commands, words.slice(at + 1), terminal, done);
    else await define(command, entry, terminal, done);
  }
}

async function define(
  command: Command,
  entry: SingleCommand,
  terminal: Terminal,
  done: (code: ExitCode) => void,
): Promise<void> {
  const definition = await entry.load();
  definition.options(command);
  addCommonOptions(command);
  command.action(async () => {
    done(await invoke(entry.name, definition, command, terminal));
  });
}

async function invoke(
  name: string,
  definition: RunnableCommand,
  command: Command,
  terminal: Terminal,
): Promise<ExitCode> {
  const options: CommonOptions = command.opts();
  if (options.verbose !== true) return await definition.invoke(command.args, command.opts(), terminal);
  const detailed: Terminal = { ...terminal, isVerbose: true };
  const began = performance.now();
  printDetail(`agentform ${version}, Node ${process.version}, ${process.platform}`, detailed);
  const code = await definition.invoke(command.args, command.opts(), detailed);
  printDetail(`${name} ended with ${code} after ${Math.round(performance.now() - began)} ms`, detailed);
  return code;
}
