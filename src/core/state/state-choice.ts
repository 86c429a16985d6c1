import { shellWord } from "../finding/shell-word.js";
import type { Plan } from "../../generated/plan.js";
import type { LockService } from "../../generated/lock.js";

/** What leads a command to one state: the folder if that has to be named, the environment, and whether it is the emulator's. */
export interface StateChoice {
  readonly folder?: string | undefined;
  readonly environment: string | null;
  readonly emulator?: boolean | undefined;
}

/** The emulator's identity in a lock, whatever its port. */
export const emulatorIdentity: LockService = { base_url: "emulator" };

/** Writes the options that choose a state, each after a space, for a command that a person is given. */
export function stateOptions({ folder, environment, emulator = false }: StateChoice): string {
  const where = folder === undefined ? "" : ` -C ${shellWord(folder)}`;
  return `${where}${environment === null ? "" : ` -e ${environment}`}${emulator ? " --emulator" : ""}`;
}

/** Writes the command by which a person tells what an address has in the service, of the state that it is in. */
export function resolveCommand(address: string, choice: StateChoice): string {
  return `agentform lock resolve${stateOptions(choice)} ${address}`;
}

/** Writes the command by which a person takes a state from its holder. */
export function unlockCommand(nonce: string, choice: StateChoice): string {
  return `agentform lock unlock ${nonce}${stateOptions(choice)}`;
}

/** What chooses the state whose objects are in a service; in a lock that service is missing until something is applied. */
export function choiceOf({
  environment,
  service,
}: {
  readonly environment: string | null;
  readonly service?: LockService | undefined;
}): StateChoice {
  return { environment, emulator: service?.base_url === emulatorIdentity.base_url };
}

/** What chooses the state that a plan was made with. */
export function choiceOfPlan({ environment, options }: Pick<Plan, "environment" | "options">): StateChoice {
  return { environment, emulator: options.emulator === true };
}
