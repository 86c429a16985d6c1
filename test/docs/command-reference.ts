import { Command, type Argument, type Option } from "commander";
import { addCommonOptions } from "../../src/cli/command.js";
import { commands, type CommandEntry, type SingleCommand } from "../../src/cli/commands.js";

interface Row {
  readonly name: string;
  readonly text: string;
}

/** Renders what the command line itself says of every command and option, as a part of docs/cli.md. */
export async function renderCommandReference(): Promise<string> {
  const common = new Command();
  addCommonOptions(common);
  const sections = ["## Options of every command", renderTable("option", common.options.map(optionRow))];
  for (const { name, summary, load } of leaves(commands, [])) {
    const command = new Command();
    (await load()).options(command);
    const rows = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)];
    sections.push(`## \`agentform ${name}\``, sentence(summary));
    if (rows.length > 0) sections.push(renderTable("option", rows));
  }
  return sections.join("\n\n");
}

/** Renders the table of the commands, as a part of the README. */
export function renderCommandTable(): string {
  const rows = leaves(commands, []).map(({ name, summary }) => ({ name, text: summary }));
  return renderTable("command", rows);
}

// The commands that do something, by all their words: `lock list`.
function leaves(entries: readonly CommandEntry[], words: readonly string[]): SingleCommand[] {
  return entries.flatMap((entry) => {
    const all = [...words, entry.name];
    return "commands" in entry ? leaves(entry.commands, all) : [{ ...entry, name: all.join(" ") }];
  });
}

function renderTable(heading: string, rows: readonly Row[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const lines = rows.map(({ name, text }) => `| \`${cell(name)}\` | ${cell(text)} |`);
  return [`| ${heading} | does |`, "|---|---|", ...lines].join("\n");
}

function optionRow({ flags, description, argChoices, defaultValue, negate }: Option): Row {
  return { name: flags, text: describe(description, argChoices, negate ? undefined : defaultValue) };
}

function argumentRow(argument: Argument): Row {
  const { required, variadic, description, argChoices, defaultValue } = argument;
  const name = `${argument.name()}${variadic ? "..." : ""}`;
  return {
    name: required ? `<${name}>` : `[${name}]`,
    text: describe(description, argChoices, defaultValue),
  };
}

function describe(description: string, choices: readonly string[] | undefined, standard: unknown): string {
  const listed = choices ? `: ${choices.map((choice) => `\`${choice}\``).join(", ")}` : "";
  const unlessGiven = standard === undefined ? "" : `; \`${String(standard)}\` unless given`;
  return `${description}${listed}${unlessGiven}`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
