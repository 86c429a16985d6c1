import type { CommandWords } from "./command-words.js";

declare const AGENTFORM_COMMANDS: string | undefined;

/** Gives what can be typed: the build has read it from the definitions, which takes as long to load as a plan does. */
export async function readKnownCommands(): Promise<CommandWords> {
  if (typeof AGENTFORM_COMMANDS === "string") return JSON.parse(AGENTFORM_COMMANDS) as CommandWords;
  const { readCommands } = await import("./read-commands.js");
  return await readCommands();
}
