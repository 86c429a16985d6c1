import { error, note, type Finding } from "../../core/finding/diagnostic.js";
import { environmentName } from "../../core/resources/environment-name.js";
import type { LockOwner } from "../../core/state/lock.js";
import type { LockStore } from "../../core/state/lock-store.js";

/** A place of a state, and whose it is there. */
interface NamedEnd {
  readonly store: Pick<LockStore, "lockName">;
  readonly owner: LockOwner;
}

/** Says that a state has moved. */
export function movedText(from: NamedEnd, to: NamedEnd, serial: number): string {
  const renamed = equalOwners(from.owner, to.owner) ? "" : `, ${namesText(from.owner, to.owner)}`;
  return `${from.store.lockName}: moved to ${to.store.lockName}${renamed}, now serial ${serial}`;
}

/** Says that a state has a new name in the place where it was. */
export function renamedText(from: NamedEnd, to: NamedEnd, serial: number): string {
  return `${to.store.lockName}: renamed, ${namesText(from.owner, to.owner)}, now serial ${serial}`;
}

function namesText(from: LockOwner, to: LockOwner): string {
  if (from.workspace !== to.workspace) return `workspace ${from.workspace} to ${to.workspace}`;
  return `environment ${environmentName(from.environment)} to ${environmentName(to.environment)}`;
}

/** Whether two names are those of one state. */
export function equalOwners(one: LockOwner, other: LockOwner): boolean {
  return one.workspace === other.workspace && one.environment === other.environment;
}

/** Finds that there is no state of the name from before. */
export function explainNothing(): Finding {
  const message = "nothing was applied under the name from before, so there is nothing to rename";
  return error("lock-absent", undefined, message, "`git log agentform.yaml` shows which name it had");
}

/** Tells what to do about a move that has not ended. */
export function explainUnfinished(): Finding {
  return note("lock-moving", undefined, "the move is not finished", "run the same command again");
}
