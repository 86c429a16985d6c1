import { Command, type Argument, type Option } from "commander";
import { addCommonOptions, collect, placeholderOf, type CommandEntry } from "../command.js";
import { version } from "../../version.js";
import type { HelpAnswer } from "../../generated/help.js";
import type { ArgumentWords, CommandWords, OptionWords } from "./command-words.js";
import { valueOf } from "./value-words.js";

type OptionHelp = HelpAnswer["common_options"][number] & OptionWords;

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
  const options = readOptions(command.createHelp().visibleOptions(command));
  return { name: command.name(), about, commands: [], options, arguments: read };
}

/** Gives the options among them that have a long name, with what their values may be. */
export function readOptions(options: readonly Option[]): OptionHelp[] {
  return options.flatMap((option) => (option.long ? [readOption(option, option.long)] : []));
}

function readOption(option: Option, long: string): OptionHelp {
  const { short, description, mandatory, required, optional, negate, defaultValue } = option;
  const placeholder = placeholderOf(option);
  return {
    long,
    ...(short && { short }),
    about: description,
    ...((required || optional) && { value: { placeholder, ...valueOf(placeholder, option.argChoices) } }),
    repeatable: option.variadic || option.parseArg === collect,
    required: mandatory,
    ...(defaultValue !== undefined && !negate && { default: defaultValue as string | number }),
  };
}

function readArgument(argument: Argument): ArgumentWords {
  const { argChoices, variadic } = argument;
  return { value: valueOf(argument.name(), argChoices), isVariadic: variadic };
}
