import type { Argument, Command, Option } from "commander";
import { UsageError } from "../exit-code.js";
import type { FoundCommand } from "../found-command.js";
import { orMeant } from "../near-miss.js";
import type { WrongUsage } from "../strict-command.js";
import { findTopic, topics } from "./topics.js";

const about = "has its options and examples";

/** Explains that the words after a command, or after the program itself, name no command. */
export function unknownCommand({ path, entry, below, rest: [word = ""] }: FoundCommand): UsageError {
  const program = ["agentform", ...path].join(" ");
  if (word.startsWith("-")) {
    return new UsageError(
      `unknown option ${quote(word)}${orMeant(nameOf(word), entry ? ["--help"] : ["--help", "--version"])}`,
      `options come after the command; \`${program} --help\` lists the commands`,
    );
  }
  const phrase = (last: string) => [...path, last].join(" ");
  const names = below.map(({ name }) => phrase(name));
  const message = `unknown command ${quote(phrase(word))}${orMeant(phrase(word), names)}`;
  if (path.length === 0 && findTopic(word)) {
    return new UsageError(message, explainsTopic(word));
  }
  return new UsageError(message, `\`${program} --help\` ${names.length > 0 ? "lists the commands" : about}`);
}

/** Explains that words name neither a command nor a topic. */
export function unknownHelp(found: FoundCommand): UsageError {
  if (found.path.length > 0) return unknownCommand(found);
  const [word = "", next] = found.rest;
  if (findTopic(word) && next !== undefined) {
    return new UsageError(`unexpected argument ${quote(next)}`, explainsTopic(word));
  }
  const names = [...found.below, ...topics].map(({ name }) => name);
  return new UsageError(
    `there is no command and no topic ${quote(word)}${orMeant(word, names)}`,
    "`agentform help` lists them",
  );
}

/** Explains what commander refuses. */
export function explainUsage({ command, code, message }: WrongUsage): UsageError {
  const hint = `\`${command.name()} --help\` ${about}`;
  return new UsageError(explain(command, code, message.replace(/^error: /, "")), hint);
}

function explain(command: Command, code: string, message: string): string {
  const quoted = /'([^]*)'/.exec(message)?.[1] ?? "";
  switch (code) {
    case "commander.unknownOption":
      if (longNames(command).includes(nameOf(quoted))) return `option ${quote(quoted)} has no value`;
      return `unknown option ${quote(quoted)}${orMeant(nameOf(quoted), longNames(command))}`;
    case "commander.excessArguments":
      return `unexpected argument ${quote(command.args[command.registeredArguments.length] ?? "")}`;
    case "commander.missingArgument":
      return `missing argument ${quote(`<${quoted}>`)}`;
    case "commander.optionMissingArgument":
      return `missing value of \`${quoted}\``;
    case "commander.missingMandatoryOptionValue":
      return `missing option ${quote(quoted)}`;
    case "commander.invalidArgument":
      return explainValue(command, message) ?? message;
    default:
      return message;
  }
}

function explainValue(command: Command, message: string): string | undefined {
  for (const option of command.options) {
    const value = valueIn(message, `option '${option.flags}' argument '`, "' is invalid. ");
    if (value !== undefined) return wrongChoice(option.long ?? option.flags, value, option);
  }
  for (const argument of command.registeredArguments) {
    const end = `' is invalid for argument '${argument.name()}'. `;
    const value = valueIn(message, "command-argument value '", end);
    if (value !== undefined) return wrongChoice(argument.name().toUpperCase(), value, argument);
  }
  return undefined;
}

function valueIn(message: string, before: string, after: string): string | undefined {
  const end = message.lastIndexOf(after);
  return message.startsWith(before) && end !== -1 ? message.slice(before.length, end) : undefined;
}

function wrongChoice(name: string, value: string, { argChoices: choices = [] }: Option | Argument): string {
  return `${name} must be one of ${choices.join(", ")}, not ${quote(value)}${orMeant(value, choices)}`;
}

function explainsTopic(name: string): string {
  return `\`agentform help ${name}\` explains the topic`;
}

function longNames({ options }: Command): string[] {
  return ["--help", ...options.flatMap(({ long }) => long ?? [])];
}

// What comes after the `=` may be secret.
function nameOf(flag: string): string {
  return flag.replace(/=[^]*$/, "");
}

function quote(word: string): string {
  return `\`${word.startsWith("-") ? nameOf(word) : word}\``;
}
