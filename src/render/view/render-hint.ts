import type { Plan } from "../../generated/plan.js";

/** The command that shows the document of a new object to its end. */
export function renderCommand(address: string, { environment }: Plan): string {
  return `agentform render ${address}${environment === null ? "" : ` -e ${environment}`}`;
}

/** What is said after that command. */
export const renderMeaning = "shows the whole document of a new object.";
