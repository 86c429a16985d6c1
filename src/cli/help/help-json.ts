import { Command, type Argument, type Option } from "commander";
import type { HelpAnswer } from "../../generated/help.js";
import { version } from "../../version.js";
import {
  type CommandEntry,
  type CommandList,
  type FoundCommand,
  type SingleCommand,
  addCommonOptions,
  collect,
  placeholderOf,
} from "../command.js";
import { commandFacts } from "../command-effects.js";
import type { CommandWords, ValueWords } from "../completion/command-words.js";
import { readKnownCommands } from "../completion/known-commands.js";
import { renderPageText } from "./page-text.js";
import { exitMeanings, topicPage, topics, type Topic } from "./topics.js";

type CommandHelp = HelpAnswer["commands"][number];
type OptionHelp = CommandHelp["options"][number];

/** Tells programs of a command and those below it, or of all and the topics (`agentform/help/v1`). */
export async function helpJson({ path, entry, below }: FoundCommand, all: CommandList): Promise<HelpAnswer> {
  const program = await readKnownCommands(all);
  const entries = entry ? [entry] : below;
  const above = entry ? path.slice(0, -1) : path;
  const commands = (await Promise.all(entries.map((each) => commandsIn(each, above, program)))).flat();
  const listed = entry ? [] : topics.map(({ name, summary }) => ({ name, summary }));
  return { ...headOf(program), commands, topics: listed };
}

/** Tells programs of a topic: its text is for people. */
export async function topicJson(topic: Topic, all: CommandList): Promise<HelpAnswer> {
  const { name, summary } = topic;
  const program = await readKnownCommands(all);
  return {
    ...headOf(program),
    commands: [],
    topics: [{ name, summary, text: renderPageText(topicPage(topic)) }],
  };
}

function headOf(program: CommandWords) {
  const command = new Command();
  addCommonOptions(command);
  return {
    format: "agentform/help/v1" as const,
    version,
    common_options: optionsOf(command, wordsIn(program, ["plan"])),
  };
}

async function commandsIn(
  entry: CommandEntry,
  above: readonly string[],
  program: CommandWords,
): Promise<CommandHelp[]> {
  const path = [...above, entry.name];
  if ("load" in entry) return [await commandHelp(path, entry, wordsIn(program, path))];
  return (await Promise.all(entry.commands.map((each) => commandsIn(each, path, program)))).flat();
}

// What can be typed after some words; the options of every command are among those of each.
function wordsIn(program: CommandWords, path: readonly string[]): CommandWords {
  const at = (words: CommandWords | undefined, name: string) =>
    words?.commands.find((each) => each.name === name);
  return path.reduce<CommandWords | undefined>(at, program) ?? program;
}

async function commandHelp(path: string[], entry: SingleCommand, typed: CommandWords): Promise<CommandHelp> {
  const { about, examples, documents, ...definition } = await entry.load();
  const command = new Command();
  definition.options(command);
  const facts = commandFacts[path.join(" ")];
  if (!facts) throw new Error(`say in command-effects.ts what \`${path.join(" ")}\` does`);
  const { schema, optionSchemas = {}, exits, ...effects } = facts;
  const codes = [0, 1, ...exits, 64, 70].toSorted((a, b) => a - b);
  const format = command.options.find(({ long }) => long === "--format");
  return {
    path,
    summary: entry.summary,
    about,
    arguments: command.registeredArguments.map((each, at) => argumentHelp(each, typed.arguments[at]?.value)),
    options: optionsOf(command, typed),
    formats: [...(format?.argChoices ?? [])],
    schema,
    option_schemas: { ...optionSchemas },
    effects: { ...effects, asks: command.options.some(({ long }) => long === "--expect") },
    exit_codes: codes.map((code) => ({ code, meaning: exitMeanings.get(code) ?? "" })),
    examples: examples.map(([line, does]) => ({ line, does })),
    documents: [...documents],
  };
}

function optionsOf({ options }: Command, typed: CommandWords): OptionHelp[] {
  const valueOf = (long: string) => typed.options.find((each) => each.long === long)?.value;
  return options.flatMap((option) =>
    option.long ? [optionHelp(option, option.long, valueOf(option.long))] : [],
  );
}

function optionHelp(option: Option, long: string, value: ValueWords | undefined): OptionHelp {
  const { short, description, mandatory, required, optional, negate, defaultValue } = option;
  return {
    long,
    ...(short && { short }),
    about: description,
    ...((required || optional) && { value: valueHelp(placeholderOf(option), value) }),
    repeatable: option.variadic || option.parseArg === collect,
    required: mandatory,
    ...(defaultValue !== undefined && !negate && { default: defaultValue as string | number }),
  };
}

function argumentHelp(argument: Argument, value: ValueWords | undefined): CommandHelp["arguments"][number] {
  const { description, required, variadic } = argument;
  const name = argument.name();
  return { name, about: description, required, variadic, words: [...(value?.words ?? [])] };
}

function valueHelp(placeholder: string, { source, words }: ValueWords = { source: "none", words: [] }) {
  return { placeholder, ...(source !== "none" && { source }), words: [...words] };
}
