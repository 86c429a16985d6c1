import { retiredIn } from "../../core/state/known-ids.js";
import { cause, type Cause } from "../../core/plan/cause.js";
import { findUses, type OutsideUsers } from "../../core/plan/object-uses.js";
import type { Lock } from "../../core/state/lock.js";
import type { ServiceObject } from "../../core/state/object-users.js";
import { identityOf } from "../../service/target.js";
import { readOutsideUsers } from "../around/outside-users.js";
import { toShow, type PlanRequest } from "../request.js";
import { readLock, type ReadLock, type ReadLockResult } from "./edits.js";

/** A state, with what uses each object of its ledger now. */
export interface UsedLock extends ReadLock {
  readonly usersOf: (object: ServiceObject) => readonly Cause[];
}

/** A state with what uses its ledger, or why it cannot be read. */
export type UsedLockResult = ReadLockResult & { readonly state?: UsedLock };

/** Reads the state, and as a prune does, but without asking the service, what uses the objects of its ledger now. */
export async function readUsedLock(request: PlanRequest): Promise<UsedLockResult> {
  const { state, loaded, diagnostics } = await readLock(request);
  const { fleet } = loaded;
  if (!state || !fleet) return { loaded, diagnostics };
  const { lock } = state;
  const objects = retiredOf(lock);
  if (objects.length === 0) return { state: withUsers(state, () => []), loaded, diagnostics };
  const service = lock.service ?? identityOf(fleet.settings.service);
  const users = await readOutsideUsers(fleet, lock, service, objects, toShow(request));
  if (users.ok) return { state: withUsers(state, users.outside), loaded, diagnostics };
  const unread = cause("users-unread", { reasons: users.problems.map(({ message }) => message) });
  return { state: withUsers(state, () => [unread]), loaded, diagnostics };
}

/** Adds to a state what uses the objects of its ledger, in its lock and outside of it. */
export function withUsers(state: ReadLock, outside: OutsideUsers = () => []): UsedLock {
  const { lock } = state;
  const usesOf = findUses(retiredOf(lock), { lock, outside });
  return { ...state, usersOf: (object) => usesOf(object).map(({ why }) => why) };
}

function retiredOf(lock: Lock): ServiceObject[] {
  return retiredIn(lock).map(([id, { address }]) => ({ id, address }));
}
