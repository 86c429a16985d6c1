import { safeLine } from "../words/terminal-text.js";

/** What every header has. */
export const headerMark = "written by `agentform output ";

/** Gives the lines that say what made a file, the command that does it again among them. */
export function headerLines(workspace: string, command: string): string[] {
  return [
    `The IDs of workspace ${safeLine(workspace)}, written by \`${safeLine(command)}\`.`,
    "Do not edit: the next run overwrites it.",
  ];
}
