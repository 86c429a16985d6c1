import type { Command, CommanderError } from "commander";
import type { CommonOptions, RunnableCommand } from "./command.js";
import type { CommandEntry, SingleCommand } from "./commands.js";
import { exitCode, UsageError, type ExitCode } from "./exit-code.js";
import { guardedTerminal, processTerminal, type Surroundings, type Terminal } from "./terminal/terminal.js";
import { version } from "../version.js";

/** Runs the command line; gives the exit code. */
export async function main(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const terminal = guardedTerminal(surroundings);
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    terminal.out(`${version}\n`);
    return exitCode.fine;
  }
  try {
    return await parseAndRun(argv, terminal);
  } catch (cause) {
    return report(cause, terminal);
  }
}

async function parseAndRun(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [{ Command }, { commands }] = await Promise.all([import("commander"), import("./commands.js")]);
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
  const [{ addCommonOptions }, definition] = await Promise.all([import("./command.js"), entry.load()]);
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
  const { printDetail } = await import("./output/detail.js");
  const detailed: Terminal = { ...terminal, isVerbose: true };
  const began = performance.now();
  printDetail(`agentform ${version}, Node ${process.version}, ${process.platform}`, detailed);
  const code = await definition.invoke(command.args, command.opts(), detailed);
  printDetail(`${name} ended with ${code} after ${Math.round(performance.now() - began)} ms`, detailed);
  return code;
}

function report(cause: unknown, terminal: Terminal): ExitCode {
  if (isCommanderError(cause)) return cause.exitCode === 0 ? exitCode.fine : exitCode.usage;
  if (cause instanceof UsageError || (cause instanceof Error && cause.name === "GitError")) {
    terminal.err(`error: ${cause.message}\n`);
    return exitCode.usage;
  }
  if (cause instanceof Error && cause.name === "StorageError") {
    terminal.err(`error: ${cause.message}\n`);
    return exitCode.invalid;
  }
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  terminal.err(`agentform ${version} has a bug; please report it with this text:\n${text}\n`);
  return exitCode.bug;
}

function isCommanderError(cause: unknown): cause is CommanderError {
  return cause instanceof Error && "code" in cause && String(cause.code).startsWith("commander.");
}

/** Runs the command line of this process, which ends within a second after it. */
export async function runProcess(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), processTerminal());
  endSoon();
}

// What is still open then, such as a name look-up without a time limit, must not keep the process alive.
function endSoon(): void {
  setTimeout(() => {
    if (process.stdout.writableLength + process.stderr.writableLength > 0) endSoon();
    else process.exit();
  }, 1000).unref();
}
