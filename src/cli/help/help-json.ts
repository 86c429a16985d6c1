import { Command, type Argument } from "commander";
import type { HelpAnswer } from "../../generated/help.js";
import { version } from "../../version.js";
import { type CommandEntry, type FoundCommand, type SingleCommand, addCommonOptions } from "../command.js";
import { commandFacts } from "../command-effects.js";
import { readOptions } from "../completion/read-commands.js";
import { valueOf } from "../completion/value-words.js";
import { renderPageText } from "./page-text.js";
import { exitMeanings, topicPage, topics, type Topic } from "./topics.js";

type CommandHelp = HelpAnswer["commands"][number];

/** Tells programs of a command and those below it, or of all and the topics (`agentform/help/v1`). */
export async function helpJson({ path, entry, below }: FoundCommand): Promise<HelpAnswer> {
  const entries = entry ? [entry] : below;
  const above = entry ? path.slice(0, -1) : path;
  const commands = (await Promise.all(entries.map((each) => commandsIn(each, above)))).flat();
  const listed = entry ? [] : topics.map(({ name, summary }) => ({ name, summary }));
  return { ...headOf(), commands, topics: listed };
}

/** Tells programs of a topic: its text is for people. */
export function topicJson(topic: Topic): HelpAnswer {
  const { name, summary } = topic;
  return {
    ...headOf(),
    commands: [],
    topics: [{ name, summary, text: renderPageText(topicPage(topic)) }],
  };
}

function headOf() {
  const command = new Command();
  addCommonOptions(command);
  return {
    format: "agentform/help/v1" as const,
    version,
    common_options: readOptions(command.options),
  };
}

async function commandsIn(entry: CommandEntry, above: readonly string[]): Promise<CommandHelp[]> {
  const path = [...above, entry.name];
  if ("load" in entry) return [await commandHelp(path, entry)];
  return (await Promise.all(entry.commands.map((each) => commandsIn(each, path)))).flat();
}

async function commandHelp(path: string[], entry: SingleCommand): Promise<CommandHelp> {
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
    arguments: command.registeredArguments.map(argumentHelp),
    options: readOptions(command.options),
    formats: [...(format?.argChoices ?? [])],
    schema,
    option_schemas: { ...optionSchemas },
    effects: { ...effects, asks: command.options.some(({ long }) => long === "--expect") },
    exit_codes: codes.map((code) => ({ code, meaning: exitMeanings.get(code) ?? "" })),
    examples: examples.map(([line, does]) => ({ line, does })),
    documents: [...documents],
  };
}

function argumentHelp(argument: Argument): CommandHelp["arguments"][number] {
  const { description, required, variadic, argChoices } = argument;
  const name = argument.name();
  return { name, about: description, required, variadic, words: valueOf(name, argChoices).words };
}
