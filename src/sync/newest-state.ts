import { error, note, type Finding } from "../core/finding/diagnostic.js";
import { bare, say } from "../core/finding/said.js";
import { emptyLock, type Lock, type LockOwner } from "../core/state/lock.js";
import { parseMove } from "../core/state/lock-move.js";
import type { LockMemory, OtherState } from "../core/state/lock-store.js";
import { writesOf } from "../core/state/lock-writes.js";
import { explainAhead, locksAhead, locksApart, type OtherLock } from "../core/state/newest-lock.js";
import { assembleState } from "../core/state/stored-state.js";
import type { PlanRequest } from "./request.js";
import { openMarks } from "../workspace/lock-cache.js";

/** A lock, and the name of its version. */
interface PresentLock {
  readonly lock: Lock;
  readonly name: string;
  readonly version: string | null;
  /** Whether a person is shown the manual edits, so that a removed ID is explained. */
  readonly areEditsShown: boolean;
}

/** Finds that a lock is not the newest of the versions in its medium. */
export async function checkNewest(
  memory: LockMemory,
  { lock, name, version, areEditsShown }: PresentLock,
  owner: LockOwner,
  marksOwner: Pick<PlanRequest, "directory" | "environment" | "cacheFolder">,
): Promise<Finding[]> {
  const written = memory.written();
  const isOwn = version !== null && written.version === version;
  const { known, keep } = openMarks(version, writesOf(lock), isOwn, marksOwner);
  const { states, marks, isCut } = await memory.others(known, version, written);
  const others = readOthers(states, owner);
  const ahead = areEditsShown ? locksApart(lock, others) : locksAhead(lock, others);
  if (ahead.length > 0) return explainAhead(lock, ahead, name);
  if (!areEditsShown) keep(marks);
  return isCut ? [explainCut(name)] : [];
}

/**
 * Reads the states in a medium's memory, and where a state had moved to; damaged ones, and those of a different
 * workspace, are ignored.
 */
export function readOthers(states: readonly OtherState[], owner: LockOwner): OtherLock[] {
  return states.flatMap(({ lock, journal, where, seal: verdict }) => {
    const stored = { version: null, lock, journal, holder: null };
    const names = { lockName: "agentform.lock", journalName: "agentform.lock.journal" };
    const state = assembleState(stored, owner, names);
    const seal = verdict && { seal: verdict };
    const move = !state.ok && lock !== null ? parseMove(lock) : undefined;
    if (move?.to && isOwnedBy(move, owner)) {
      const { lineage, serial, writes } = move;
      return [{ lock: { ...emptyLock(owner, lineage), serial, writes }, where, movedTo: move.to, ...seal }];
    }
    return !state.ok || !state.exists ? [] : [{ lock: state.lock, where, ...seal }];
  });
}

/** Finds that the branch that this one follows has a lock with more, as far as it was fetched. */
export async function checkUpstream(
  memory: LockMemory | undefined,
  lock: Lock,
  name: string,
  owner: LockOwner,
): Promise<Finding[]> {
  const [ahead] = locksAhead(lock, readOthers((await memory?.upstream()) ?? [], owner));
  if (!ahead) return [];
  const message = say`${bare({ lock: name })} lacks an apply that ${bare({ source: ahead.where })} has: it has serial ${{ found: lock.serial }}, and ${bare({ source: ahead.where })} has serial ${{ expected: ahead.lock.serial }}`;
  return [
    error(
      "lock-behind",
      undefined,
      message,
      "bring this checkout up to date with `git pull`, then plan again",
    ),
  ];
}

function isOwnedBy(move: LockOwner, { workspace, environment }: LockOwner): boolean {
  return move.workspace === workspace && move.environment === environment;
}

function explainCut(name: string): Finding {
  const message = say`git's history is incomplete here, so ${bare({ lock: name })} could not be compared with everything that was applied`;
  return note("lock-history-cut", undefined, message, "fetch more of it: `git fetch --unshallow`");
}
