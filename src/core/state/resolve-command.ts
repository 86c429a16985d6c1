import type { LockOwner } from "./lock.js";

/** Writes the command by which a person tells the outcome of a create, in the environment that it is of. */
export function resolveCommand(address: string, environment: LockOwner["environment"]): string {
  return `agentform lock resolve${environment === null ? "" : ` -e ${environment}`} ${address}`;
}
