import { error, note, type Finding } from "../../core/finding/diagnostic.js";
import { environmentName } from "../../core/resources/environment-name.js";
import type { RenamedState, RepairChange } from "../../core/lock-edit/repair-change.js";
import { isSameOwner, type LockOwner } from "../../core/state/lock.js";
import type { LockStore } from "../../core/state/lock-store.js";

/** A place of a state, and whose it is there. */
interface NamedEnd {
  readonly store: Pick<LockStore, "lockName">;
  readonly owner: LockOwner;
}

/** Says that a state has moved. */
export function movedState(from: NamedEnd, to: NamedEnd, serial: number): RepairChange {
  const renamed = isSameOwner(from.owner, to.owner) ? {} : { renamed: namesOf(from.owner, to.owner) };
  return { type: "moved", lock: from.store.lockName, to: to.store.lockName, serial, ...renamed };
}

/** Says that a state has a new name in the place where it was. */
export function renamedState(from: NamedEnd, to: NamedEnd, serial: number): RepairChange {
  const renamed = namesOf(from.owner, to.owner);
  return { type: "renamed", lock: to.store.lockName, serial, renamed };
}

function namesOf(from: LockOwner, to: LockOwner): RenamedState {
  if (from.workspace !== to.workspace) return { of: "workspace", from: from.workspace, to: to.workspace };
  const [before, after] = [from, to].map(({ environment }) => environmentName(environment));
  return { of: "environment", from: before ?? "", to: after ?? "" };
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
