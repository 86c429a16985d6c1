import { stateOptions } from "../../core/state/state-choice.js";
import type { Plan } from "../../generated/plan.js";

/** The command that shows the document of a new object to its end; the folder of its workspace if there are several. */
export function renderCommand(address: string, { environment }: Plan, folder?: string): string {
  return `agentform render ${address}${stateOptions({ folder, environment })}`;
}

/** What is said after that command. */
export const renderMeaning = "shows the whole document of a new object.";
