import { type CommandEntry, type CommandList, type FoundCommand, findCommand } from "../command.js";
import type { HelpAnswer } from "../../generated/help.js";
import { printResult, type ResultFlags } from "../output/result.js";
import type { Terminal } from "../terminal/terminal.js";
import { commandPage, programPage } from "./command-page.js";
import { unknownCommand, unknownHelp } from "./explain-usage.js";
import { renderPageText } from "./page-text.js";
import type { Page } from "./page.js";
import { findTopic, topicPage } from "./topics.js";

/** Shows the help of a command or topic, without words of the program; throws UsageError if there is none. */
export async function showHelp(
  words: readonly string[],
  commands: CommandList,
  request: ResultFlags,
  terminal: Terminal,
): Promise<void> {
  const [word = ""] = words;
  const topic = words.length === 1 ? findTopic(word) : undefined;
  if (topic) {
    const page = topicPage(topic);
    return await show({ page, json: async () => (await jsonHelp()).topicJson(topic) }, request, terminal);
  }
  const found = findCommand(words, commands);
  if (found.rest.length > 0) throw unknownHelp(found);
  await showFound(found, commands, request, terminal);
}

/** Shows the help of the command that a line is about, whatever else is wrong; throws UsageError if it is unknown. */
export async function showHelpOf(
  words: readonly string[],
  commands: CommandList,
  request: ResultFlags,
  terminal: Terminal,
): Promise<void> {
  const found = findCommand(fromCommand(words, commands), commands);
  const [next = "-"] = found.rest;
  if (found.path[0] === "help" && !next.startsWith("-"))
    return await showHelp(found.rest, commands, request, terminal);
  if (!isSingle(found.entry) && !next.startsWith("-")) throw unknownCommand(found);
  await showFound(found, commands, request, terminal);
}

async function showFound(
  found: FoundCommand,
  commands: CommandList,
  request: ResultFlags,
  terminal: Terminal,
): Promise<void> {
  const page = await pageOf(found, commands);
  await show({ page, json: async () => await (await jsonHelp()).helpJson(found) }, request, terminal);
}

async function jsonHelp() {
  return await import("./help-json.js");
}

async function pageOf({ path, entry }: FoundCommand, commands: CommandList): Promise<Page> {
  return entry ? await commandPage(path, entry) : programPage(commands);
}

// Before a command there may be options that should be after it, and their values.
function fromCommand(words: readonly string[], commands: readonly CommandEntry[]): readonly string[] {
  if (words[0]?.startsWith("-") !== true) return words;
  const at = words.findIndex((word) => commands.some(({ name }) => name === word));
  return at === -1 ? [] : words.slice(at);
}

function isSingle(entry: CommandEntry | undefined): boolean {
  return entry !== undefined && "load" in entry;
}

async function show(
  { page, json }: { readonly page: Page; readonly json: () => Promise<HelpAnswer> },
  request: ResultFlags,
  terminal: Terminal,
): Promise<void> {
  await printResult({ text: () => renderPageText(page, terminal.columns), json }, request, terminal);
}
