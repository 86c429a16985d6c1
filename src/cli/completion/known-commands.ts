import type { CommandEntry } from "../command-entry.js";
import type { CommandWords } from "./command-words.js";

declare const AGENTFORM_COMMANDS: string | undefined;

/** Gives what can be typed: the build has read it from the definitions, which take as long to load as a plan. */
export async function readKnownCommands(commands: readonly CommandEntry[]): Promise<CommandWords> {
  return typeof AGENTFORM_COMMANDS === "string"
    ? (JSON.parse(AGENTFORM_COMMANDS) as CommandWords)
    : await (await import("./read-commands.js")).readCommands(commands);
}
