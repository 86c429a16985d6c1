import { stateOptions, type StateChoice } from "./state-choice.js";

/** Writes the command by which a person tells what an address has in the service, of the state that it is in. */
export function resolveCommand(address: string, choice: StateChoice): string {
  return `agentform lock resolve${stateOptions(choice)} ${address}`;
}
