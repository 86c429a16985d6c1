import type { CommandList } from "../command.js";
import type { CommandWords } from "./command-words.js";

declare const AGENTFORM_COMMANDS: string | undefined;

/** Gives what can be typed. The build has read it from the definitions, which take as long to load as a plan. */
export async function readKnownCommands(commands: CommandList): Promise<CommandWords> {
  return typeof AGENTFORM_COMMANDS === "string"
    ? (JSON.parse(AGENTFORM_COMMANDS) as CommandWords)
    : await (await import("./read-commands.js")).readCommands(commands);
}
