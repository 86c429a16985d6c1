import { commands, type CommandEntry } from "./commands.js";

/** What the words of a command line name. */
export interface FoundCommand {
  /** The words of the command, such as `lock` and `show`; none for the program itself. */
  readonly path: readonly string[];
  /** The command, or its parent as long as no more is named; undefined for the program itself. */
  readonly entry: CommandEntry | undefined;
  /** The words after it. */
  readonly rest: readonly string[];
}

/** Finds the command that the first words name. */
export function findCommand(words: readonly string[]): FoundCommand {
  let entry: CommandEntry | undefined;
  for (const [index, word] of words.entries()) {
    const next = commandsBelow(entry).find(({ name }) => name === word);
    if (!next) return { path: words.slice(0, index), entry, rest: words.slice(index) };
    entry = next;
    if ("load" in entry) return { path: words.slice(0, index + 1), entry, rest: words.slice(index + 1) };
  }
  return { path: words, entry, rest: [] };
}

/** Gives the commands that can follow a command, or the program itself. */
export function commandsBelow(entry: CommandEntry | undefined): readonly CommandEntry[] {
  if (!entry) return commands;
  return "commands" in entry ? entry.commands : [];
}
