import {
  type CommonOptions,
  type FoundCommand,
  type SingleCommand,
  addCommonOptions,
  findCommand,
} from "./command.js";
import { commands } from "./commands.js";
import { exitCode, type ExitCode } from "./exit-code.js";
import type { ResultFlags } from "./output/result.js";
import { printDetail } from "./output/detail.js";
import { StrictCommand, WrongUsage } from "./strict-command.js";
import type { Terminal } from "./terminal/terminal.js";
import { version } from "../version.js";

/** Runs the command that the arguments name, and gives its exit code; throws UsageError if they are wrong. */
export async function runProgram(
  argv: readonly string[],
  help: ResultFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const asked = wordsToExplain(argv);
  if (asked) {
    const { showHelpOf } = await import("./help/show-help.js");
    await showHelpOf(asked, commands, help, terminal);
    return exitCode.fine;
  }
  const found = findCommand(argv, commands);
  const { entry, rest } = found;
  if (entry && "load" in entry) return await runCommand({ ...found, entry }, terminal);
  if (rest.length > 0 && rest[0] !== "help") {
    const { unknownCommand } = await import("./help/explain-usage.js");
    throw unknownCommand(found);
  }
  const { showHelp } = await import("./help/show-help.js");
  await showHelp([...found.path, ...rest.slice(1)], commands, help, terminal);
  return rest.length > 0 ? exitCode.fine : exitCode.usage;
}

// Whoever asks for help gets it, whatever else is on the line.
function wordsToExplain(argv: readonly string[]): readonly string[] | undefined {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  const others = words.filter((word) => word !== "--help" && word !== "-h");
  return others.length < words.length ? others : undefined;
}

async function runCommand(
  { path, entry, rest }: FoundCommand & { readonly entry: SingleCommand },
  terminal: Terminal,
): Promise<ExitCode> {
  const definition = await entry.load();
  const command = new StrictCommand(`agentform ${path.join(" ")}`).helpOption(false);
  definition.options(command);
  addCommonOptions(command);
  try {
    command.parse(rest, { from: "user" });
  } catch (cause) {
    if (!(cause instanceof WrongUsage)) throw cause;
    const { explainUsage } = await import("./help/explain-usage.js");
    throw explainUsage(cause);
  }
  const options: CommonOptions = command.opts();
  const line = { path, options: command.typed, args: command.args };
  if (options.verbose !== true) return await definition.run(command.args, options, { ...terminal, line });
  const detailed: Terminal = { ...terminal, line, isVerbose: true };
  const began = performance.now();
  printDetail(`agentform ${version}, Node ${process.version}, ${process.platform}`, detailed);
  const code = await definition.run(command.args, options, detailed);
  printDetail(`${entry.name} ended with ${code} after ${Math.round(performance.now() - began)} ms`, detailed);
  return code;
}
