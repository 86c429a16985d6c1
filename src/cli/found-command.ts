import type { CommandEntry } from "./command.js";

/** What the words of a command line name. */
export interface FoundCommand {
  /** The words of the command, such as `lock` and `show`; none for the program itself. */
  readonly path: readonly string[];
  /** The command, or its parent as long as no more is named; undefined for the program itself. */
  readonly entry: CommandEntry | undefined;
  /** The words after it. */
  readonly rest: readonly string[];
  /** The commands that can follow. */
  readonly below: readonly CommandEntry[];
}

/** Finds the command that the first words name. */
export function findCommand(words: readonly string[], commands: readonly CommandEntry[]): FoundCommand {
  let entry: CommandEntry | undefined;
  let below = commands;
  let length = 0;
  for (const word of words) {
    const next = below.find(({ name }) => name === word);
    if (!next) break;
    entry = next;
    below = "commands" in next ? next.commands : [];
    length += 1;
  }
  return { path: words.slice(0, length), entry, rest: words.slice(length), below };
}
