import type { LockOwner } from "./lock.js";

/** Writes the command by which a person tells an ID, for the state of an environment or of the emulator. */
export function resolveCommand(
  address: string,
  environment: LockOwner["environment"],
  isEmulated = false,
): string {
  const where = `${environment === null ? "" : ` -e ${environment}`}${isEmulated ? " --emulator" : ""}`;
  return `agentform lock resolve${where} ${address}`;
}
