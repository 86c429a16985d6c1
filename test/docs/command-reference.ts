import { basename, relative } from "node:path/posix";
import { Command } from "commander";
import type { CommandEntry, SingleCommand } from "../../src/cli/command.js";
import { commandFacts, type CommandFacts } from "../../src/cli/command-effects.js";
import { commands } from "../../src/cli/commands.js";
import { commandPage, commonRows, groupTitles } from "../../src/cli/help/command-page.js";
import { sentence } from "../../src/cli/help/page-text.js";
import type { HelpRow } from "../../src/cli/help/page.js";

/** A command that does something, with all its words: `lock` and `list`. */
export interface LeafCommand {
  readonly path: readonly string[];
  readonly entry: SingleCommand;
}

/** Gives the commands that do something. */
export function leafCommands(
  entries: readonly CommandEntry[] = commands,
  words: readonly string[] = [],
): LeafCommand[] {
  return entries.flatMap((entry) => {
    const path = [...words, entry.name];
    return "commands" in entry ? leafCommands(entry.commands, path) : [{ path, entry }];
  });
}

/** A command with its definition. */
export interface LoadedCommand {
  /** All its words. */
  readonly name: string;
  readonly path: readonly string[];
  readonly definition: Command;
  /** The command lines of its examples. */
  readonly lines: readonly string[];
  readonly formats: readonly string[];
  readonly facts: CommandFacts;
}

/** Loads the commands that do something. */
export async function loadCommands(): Promise<LoadedCommand[]> {
  const loaded = leafCommands().map(async ({ path, entry }) => {
    const { options, examples } = await entry.load();
    const [name, definition] = [path.join(" "), new Command()];
    options(definition);
    const formats = definition.options.find(({ long }) => long === "--format")?.argChoices ?? [];
    const facts = commandFacts[name];
    if (!facts) throw new Error(`say in command-effects.ts what ${name} does`);
    return { name, path, definition, lines: examples.map(([line]) => line), formats, facts };
  });
  return await Promise.all(loaded);
}

/** Renders what the command line itself says of every command and option, as a part of docs/reference/cli.md. */
export async function renderCommandReference(): Promise<string> {
  const parts = ["## Options of every command", renderTable("option", commonRows())];
  for (const [group, title] of Object.entries(groupTitles)) {
    parts.push(`## ${title}`);
    for (const leaf of leafCommands(commands.filter((command) => command.group === group))) {
      parts.push(...(await renderCommand(leaf)));
    }
  }
  return parts.join("\n\n");
}

async function renderCommand({ path, entry }: LeafCommand): Promise<string[]> {
  const { sections } = await commandPage(path, entry);
  const { about, examples, documents } = await entry.load();
  const rows = sections
    .filter(({ title }) => title === "Arguments" || title === "Options")
    .flatMap(({ blocks }) =>
      blocks.flatMap((block) => (typeof block === "object" && "rows" in block ? block.rows : [])),
    );
  const lines = examples.flatMap(([line, does]) => [`# ${does}`, line]);
  const links = documents.map((file) => `[${basename(file)}](${relative("reference", file)})`).join(", ");
  return [
    `### \`agentform ${path.join(" ")}\``,
    `${sentence(entry.summary)} ${about}`,
    ...(rows.length > 0 ? [renderTable("option", rows)] : []),
    ["```sh", ...lines, "```"].join("\n"),
    `More: ${links}.`,
  ];
}

function renderTable(heading: string, rows: readonly HelpRow[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const lines = rows.map(([name, text]) => `| \`${cell(name)}\` | ${cell(text)} |`);
  return [`| ${heading} | does |`, "|---|---|", ...lines].join("\n");
}
