import { Command, type Argument, type Option } from "commander";
import { addCommonOptions, type RunnableCommand } from "../command.js";
import type { CommandEntry, CommandGroup, CommandList, ParentCommand } from "../command.js";
import { learnMore, type Page, type HelpRow, type HelpSection } from "./page.js";
import { topics } from "./topics.js";

/** The titles of the groups, in the order of the help. */
export const groupTitles: Readonly<Record<CommandGroup, string>> = {
  start: "Start a workspace",
  change: "Plan and apply changes",
  state: "Look after the state",
  tools: "Tools",
};

const helpRow: HelpRow = ["-h, --help", "show this help"];

/** Makes the page of a command, or of a parent of commands. */
export async function commandPage(path: readonly string[], entry: CommandEntry): Promise<Page> {
  if ("commands" in entry) return parentPage(path, entry);
  return singlePage(path, entry.summary, await entry.load());
}

/** Gives the rows of the options that every command has. */
export function commonRows(): readonly HelpRow[] {
  const command = new Command();
  addCommonOptions(command);
  return [...command.options.map(describeOption), helpRow];
}

function singlePage(path: readonly string[], summary: string, definition: RunnableCommand): Page {
  const name = ["agentform", ...path].join(" ");
  const command = new Command(name);
  definition.options(command);
  const rows = {
    Arguments: command.registeredArguments.map(describeArgument),
    Options: command.options.map(describeOption),
    "Options of every command": commonRows(),
  };
  const examples = definition.examples.flatMap(([line, does]) => [`# ${does}`, line]);
  return {
    name,
    summary,
    usage: command.createHelp().commandUsage(command),
    about: [definition.about],
    sections: [
      ...Object.entries(rows).flatMap(([title, rows]) => (rows.length > 0 ? [listed(title, rows)] : [])),
      { title: "Examples", blocks: [{ lines: examples }] },
      learnMore(definition.documents),
    ],
  };
}

function parentPage(path: readonly string[], { summary, commands, documents }: ParentCommand): Page {
  const name = ["agentform", ...path].join(" ");
  return {
    name,
    summary,
    usage: `${name} COMMAND [options]`,
    about: [],
    sections: [
      listed("Commands", commands.map(rowOf)),
      learnMore(documents, [[`${name} COMMAND --help`, "how to use a command, with examples"]]),
    ],
  };
}

/** Makes the page of the program. */
export function programPage(commands: CommandList): Page {
  const groups = Object.entries(groupTitles).map(([group, title]) =>
    listed(title, commands.filter((command) => command.group === group).map(rowOf)),
  );
  return {
    name: "agentform",
    summary:
      "plan and apply for fleets of AI agents: policies, tool sets, credentials and agents as YAML in git",
    usage: "agentform COMMAND [options]",
    about: [],
    sections: [
      ...groups,
      listed("Topics", topics.map(rowOf)),
      listed("Options", [["-V, --version", "print the version; with `--format json` as JSON"], helpRow]),
      learnMore(
        ["reference/documents.md", "reference/cli.md"],
        [
          ["agentform help COMMAND", "how to use a command, with examples"],
          ["agentform help TOPIC", "a topic in short"],
        ],
      ),
    ],
  };
}

function rowOf({ name, summary }: { readonly name: string; readonly summary: string }): HelpRow {
  return [name, summary];
}

function listed(title: string, rows: readonly HelpRow[]): HelpSection {
  return { title, blocks: [{ rows }] };
}

function describeOption({ flags, description, argChoices, defaultValue, negate }: Option): HelpRow {
  return [flags, describe(description, argChoices, negate ? undefined : defaultValue)];
}

function describeArgument(argument: Argument): HelpRow {
  const { required, variadic, description, argChoices, defaultValue } = argument;
  const name = `${argument.name()}${variadic ? "..." : ""}`;
  return [required ? `<${name}>` : `[${name}]`, describe(description, argChoices, defaultValue)];
}

function describe(description: string, choices: readonly string[] | undefined, standard: unknown): string {
  const listed = choices ? `: ${choices.map((choice) => `\`${choice}\``).join(", ")}` : "";
  const unlessGiven = standard === undefined ? "" : `; \`${String(standard)}\` unless given`;
  return `${description}${listed}${unlessGiven}`;
}
