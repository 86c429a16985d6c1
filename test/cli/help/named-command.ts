import { leafCommands, type LeafCommand } from "../../docs/command-reference.js";
import { addCommonOptions } from "../../../src/cli/command.js";
import { StrictCommand } from "../../../src/cli/strict-command.js";

const leaves = leafCommands();

/**
 * Parses words as the command that they name does.
 * @throws WrongUsage if its options or arguments are wrong
 */
export async function parseWords(words: readonly string[]): Promise<void> {
  const { path, entry } = namedBy(words);
  const command = new StrictCommand().helpOption(false);
  (await entry.load()).options(command);
  addCommonOptions(command);
  command.parse(words.slice(path.length), { from: "user" });
}

function namedBy(words: readonly string[]): LeafCommand {
  const named = leaves.find(({ path }) => path.every((word, index) => words[index] === word));
  if (!named) throw new Error(`no command is named by ${words.join(" ")}`);
  return named;
}
