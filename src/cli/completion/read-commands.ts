import { Command, type Argument, type Option } from "commander";
import { addCommonOptions, collect, placeholderOf, type CommandEntry } from "../command.js";
import { version } from "../../version.js";
import type { ArgumentWords, CommandWords, OptionWords } from "./command-words.js";
import { valueOf } from "./value-words.js";

/** Reads what can be typed from the definitions of all commands; throws where one does not say what a value is. */
export async function readCommands(commands: readonly CommandEntry[]): Promise<CommandWords> {
  const program = new Command("agentform").version(version);
  return { ...wordsOf(program, ""), commands: await Promise.all(commands.map(readOne)) };
}

async function readOne(entry: CommandEntry): Promise<CommandWords> {
  const command = new Command(entry.name);
  if ("commands" in entry) {
    const commands = await Promise.all(entry.commands.map(readOne));
    return { ...wordsOf(command, entry.summary), commands };
  }
  (await entry.load()).options(command);
  addCommonOptions(command);
  return wordsOf(command, entry.summary);
}

function wordsOf(command: Command, about: string): CommandWords {
  const read = command.registeredArguments.map(readArgument);
  return { name: command.name(), about, commands: [], options: readOptions(command), arguments: read };
}

function readOptions(command: Command): OptionWords[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap((option) => readOption(option) ?? []);
}

function readOption({ flags, long, short, description, required, optional, ...rest }: Option) {
  if (long === undefined || long === null) return undefined;
  const { argChoices, parseArg, variadic } = rest;
  const placeholder = placeholderOf({ flags });
  const read: OptionWords = {
    long,
    ...(short && { short }),
    about: description,
    ...((required || optional) && { value: valueOf(placeholder, argChoices) }),
    isRepeatable: variadic || parseArg === collect,
  };
  return read;
}

function readArgument(argument: Argument): ArgumentWords {
  const { argChoices, variadic } = argument;
  return { value: valueOf(argument.name(), argChoices), isVariadic: variadic };
}
