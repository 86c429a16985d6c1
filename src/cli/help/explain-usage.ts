import type { Argument, Command, Option } from "commander";
import { UsageError } from "../exit-code.js";
import type { FoundCommand } from "../command.js";
import { orMeant } from "../near-miss.js";
import type { UsageMistake, WrongUsage } from "../strict-command.js";
import { otherTools } from "../../generated/other-tools.js";
import { findTopic, topics } from "./topics.js";

const about = "has its options and examples";

/** Explains that the words after a command, or after the program itself, name no command. */
export function unknownCommand({ path, entry, below, rest }: FoundCommand): UsageError {
  const [word = ""] = rest;
  const answer = path.length === 0 ? answerOtherTool(rest) : undefined;
  const program = ["agentform", ...path].join(" ");
  if (word.startsWith("-")) {
    return new UsageError(
      `unknown option ${quote(word)}${orMeant(nameOf(word), entry ? ["--help"] : ["--help", "--version"])}`,
      answer ?? `options come after the command; \`${program} --help\` lists the commands`,
    );
  }
  const phrase = (last: string) => [...path, last].join(" ");
  const names = below.map(({ name }) => phrase(name));
  const message = `unknown command ${quote(phrase(word))}${orMeant(phrase(word), names)}`;
  if (path.length === 0 && findTopic(word)) {
    return new UsageError(message, explainsTopic(word));
  }
  return new UsageError(
    message,
    answer ?? `\`${program} --help\` ${names.length > 0 ? "lists the commands" : about}`,
  );
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

/** Explains what is wrong with the arguments of a command. */
export function explainUsage({ command, mistake }: WrongUsage): UsageError {
  const answer = mistake.type === "unknown-option" ? answerOtherTool([mistake.flag]) : undefined;
  return new UsageError(explain(command, mistake), answer ?? `\`${command.name()} --help\` ${about}`);
}

function explain(command: Command, mistake: UsageMistake): string {
  switch (mistake.type) {
    case "unknown-option": {
      const { flag } = mistake;
      const names = ["--help", ...command.options.flatMap(({ long }) => long ?? [])];
      if (names.includes(nameOf(flag))) return `option ${quote(flag)} has no value`;
      return `unknown option ${quote(flag)}${orMeant(nameOf(flag), names)}`;
    }
    case "unexpected-argument":
      return `unexpected argument ${quote(mistake.word)}`;
    case "missing-argument":
      return `missing argument ${quote(`<${mistake.name}>`)}`;
    case "missing-value":
      return `missing value of \`${mistake.option.flags}\``;
    case "second-value":
      return `${quote(mistake.option.flags)} is given twice, with different values`;
    case "missing-option":
      return `missing option ${quote(mistake.option.flags)}`;
    case "wrong-choice":
      return wrongChoice(mistake.of, mistake.value);
    case "other":
      return mistake.message.replace(/^error: /, "");
  }
}

function wrongChoice(of: Option | Argument, value: string): string {
  const name = "flags" in of ? (of.long ?? of.flags) : of.name().toUpperCase();
  const choices = of.argChoices ?? [];
  return `${name} must be one of ${choices.join(", ")}, not ${quote(value)}${orMeant(value, choices)}`;
}

function explainsTopic(name: string): string {
  return `\`agentform help ${name}\` explains the topic`;
}

// What comes after the `=` is a value, and may be secret.
function nameOf(flag: string): string {
  return flag.replace(/=[^]*$/, "");
}

function quote(word: string): string {
  return `\`${word.startsWith("-") ? nameOf(word) : word}\``;
}

const answers: ReadonlyMap<string, string> = new Map(
  otherTools.flatMap(([words, answer]) => words.map((each) => [each, answer])),
);

/** Gives what to type here in the place of another tool's command or option; the longest known words count. */
function answerOtherTool([first = "", second = ""]: readonly string[]): string | undefined {
  if (!first.startsWith("-")) return answers.get(`${first} ${second}`) ?? answers.get(first);
  // Terraform writes its long options with one dash.
  const name = nameOf(first);
  return answers.get(name) ?? answers.get(name.replace(/^-(?!-)/, "--"));
}
