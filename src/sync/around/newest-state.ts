import { error, note, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { isBlank, type Lock, type LockOwner, type LockService } from "../../core/state/lock.js";
import type { LockStore, OtherState, SealVerdict, StoredState } from "../../core/state/lock-store.js";
import { choiceOf, stateOptions } from "../../core/state/state-choice.js";
import { serialIn } from "../../core/state/lock-move.js";
import { writesOf } from "../../core/state/lock-writes.js";
import {
  departedLock,
  explainAhead,
  isTrusted,
  locksAhead,
  locksApart,
  newestAfter,
  type OtherLock,
} from "../../core/state/newest-lock.js";
import { assembleRenamed, lineagesOf } from "../../core/state/renamed-state.js";
import { sharesService } from "../../core/state/service-identity.js";
import type { PlanRequest } from "../request.js";
import { openMarks } from "../../workspace/kept-marks.js";

interface PresentLock extends Pick<StoredState, "version" | "newest" | "seal"> {
  readonly lock: Lock;
  /** Whether a person is shown the manual edits, so that a removed ID is explained. */
  readonly areEditsShown: boolean;
}

/** Finds that a lock is not the newest that this machine, git or the medium itself knows of. */
export async function checkNewest(
  store: Pick<LockStore, "lockName" | "memory" | "history">,
  { lock, version, newest, seal, areEditsShown }: PresentLock,
  owner: LockOwner,
  marksOwner: Pick<PlanRequest, "directory" | "environment" | "cacheFolder">,
): Promise<Finding[]> {
  const { lockName, memory } = store;
  const written = memory?.written();
  const isOwn = version !== null && written?.version === version;
  const { known, keep } = openMarks(version, writesOf(lock), isOwn, marksOwner);
  const remembered = written && (await memory?.others(known, version, written));
  const { states = [], marks = [], isCut = false } = remembered ?? {};
  const kept = await keptState(store, { newest, serial: lock.serial }, owner);
  const others = readOthers([...states, ...kept], owner, seal);
  const ahead = areEditsShown ? locksApart(lock, others) : locksAhead(lock, others);
  if (ahead.length > 0) return explainAhead(lock, ahead, lockName);
  if (!areEditsShown) keep(marks);
  return isCut ? [explainCut(lockName)] : [];
}

/** Finds that a state which had moved away has come back since: what says that it is elsewhere was set back. */
export async function checkReturned(
  store: Pick<LockStore, "lockName" | "memory" | "history">,
  stored: StoredState,
  owner: LockOwner,
): Promise<Finding[]> {
  const departed = departedLock(stored.lock, owner)?.lock;
  if (!departed || !isTrusted(stored)) return [];
  const others = (await readPast(store, stored, owner)).filter(isTrusted);
  const returned = newestAfter(departed, others);
  return returned ? explainAhead(departed, locksApart(departed, others), store.lockName) : [];
}

/** Reads all that is known of a state beside the present version. */
export async function readPast(
  store: Pick<LockStore, "memory" | "history">,
  { version, newest, lock }: Pick<StoredState, "version" | "newest" | "lock">,
  owner: LockOwner,
): Promise<OtherLock[]> {
  const { memory } = store;
  const remembered = await memory?.others([], version, memory.written());
  const kept = await keptState(store, { newest, serial: serialIn(lock ?? "") }, owner);
  return readOthers([...(remembered?.states ?? []), ...kept], owner);
}

// A later version, which the medium has kept although the present one is older.
async function keptState(
  { history }: Pick<LockStore, "history">,
  { newest, serial = 0 }: { readonly newest: number | undefined; readonly serial: number | undefined },
  owner: LockOwner,
): Promise<OtherState[]> {
  if (newest === undefined) return [];
  const stateOf = (lock: string, seal: SealVerdict): OtherState => {
    return { lock, journal: null, where: "a version that the store keeps", seal };
  };
  // Who can write where the versions are can add one without a seal, or of nothing, which must not hide the others.
  const isLater = (text: string, seal: SealVerdict) =>
    (serialIn(text) ?? 0) > serial &&
    seal !== "wrong" &&
    seal !== "missing" &&
    readOthers([stateOf(text, seal)], owner).length > 0;
  const kept = await history?.find(isLater);
  return kept ? [stateOf(kept.text, kept.seal)] : [];
}

/** Reads states from a medium's memory and from where one moved, also under a former name; damaged ones are ignored. */
export function readOthers(
  states: readonly OtherState[],
  owner: LockOwner,
  present?: SealVerdict,
): OtherLock[] {
  // A text without a right seal must not say that the state of another workspace was this one's.
  const known = states.filter(({ seal }) => seal !== "wrong" && seal !== "missing");
  const lineages = lineagesOf(
    known.map(({ lock }) => lock),
    owner,
  );
  // Until one has a seal, a state that has moved has left none.
  const isBegun = [{ seal: present }, ...states].some(({ seal }) => seal !== undefined && seal !== "missing");
  return states.flatMap(({ lock, journal, where, copyName, seal: verdict }): OtherLock[] => {
    const state = assembleRenamed({ lock, journal }, owner, lineages);
    const seal = verdict && { seal: verdict };
    const isForged = verdict === "wrong" || (verdict === "missing" && isBegun);
    const departed = state.ok || isForged ? undefined : departedLock(lock, owner);
    if (departed) return [{ ...departed, where, ...seal }];
    if (!state.ok || !state.exists) return [];
    const isReplayed = state.hasJournal && { hasJournal: true as const };
    return [{ lock: state.lock, where, ...(copyName !== undefined && { copyName }), ...isReplayed, ...seal }];
  });
}

interface SendingState {
  readonly store: Pick<LockStore, "lockName" | "memory">;
  readonly lock: Lock;
  readonly owner: LockOwner;
  readonly service: LockService;
}

/** Finds a branch whose lock has more, this one's, another work tree's or the default; any branch if nothing was applied here. */
export async function checkBranches(sending: SendingState): Promise<Finding[]> {
  const { store, lock, owner } = sending;
  const { lockName: name, memory } = store;
  const [ahead] = locksAhead(lock, readOthers((await memory?.branches("followed")) ?? [], owner));
  if (ahead)
    return [
      explainLack(name, lock, ahead, "bring this checkout up to date with `git pull`, then plan again"),
    ];
  const beside = await checkBeside(sending);
  if (beside.length > 0) return beside;
  if (isBlank(lock)) return await checkBegunOnBranch(sending);
  const newer = locksAhead(lock, readHere((await memory?.branches("default")) ?? [], sending)).find(
    (other) => other.lock.lineage === lock.lineage,
  );
  return newer ? [explainLack(name, lock, newer, "merge that branch, then plan again")] : [];
}

/** Finds another work tree of the clone whose lock or journal has more, which one that has just ended may have. */
export async function checkBeside(sending: SendingState): Promise<Finding[]> {
  const { store, lock } = sending;
  const states = (await store.memory?.branches("beside")) ?? [];
  const beside = locksAhead(lock, readHere(states, sending)).find(
    (other) => isBlank(lock) || other.lock.lineage === lock.lineage,
  );
  if (!beside) return [];
  const apply = bare({ command: `agentform apply${stateOptions(choiceOf(lock))}` });
  const hint = say`run \`${apply}\` there if one was interrupted, commit its lock there, merge that branch, then plan again; or \`git worktree remove\` it, if all that it applied is gone from the service`;
  return [explainLack(store.lockName, lock, beside, hint)];
}

/** Gives the locks that the followed branch and the default branch have with more, as far as they were fetched. */
export async function aheadOnBranches(sending: SendingState): Promise<OtherLock[]> {
  const { store, lock, owner } = sending;
  const followed = readOthers((await store.memory?.branches("followed")) ?? [], owner);
  const byDefault = readHere((await store.memory?.branches("default")) ?? [], sending);
  return locksAhead(lock, [...followed, ...byDefault.filter((other) => other.lock.lineage === lock.lineage)]);
}

function explainLack(
  name: string,
  lock: Lock,
  { lock: other, where }: OtherLock,
  hint: Parameters<typeof error>[3],
): Finding {
  const lack = say`${bare({ lock: name })} lacks an apply that ${bare({ source: where })} has`;
  // A journal goes on from a serial.
  const message =
    lock.serial === other.serial
      ? lack
      : say`${lack}: it has serial ${{ found: lock.serial }}, and ${bare({ source: where })} has serial ${{ expected: other.serial }}`;
  return error("lock-behind", undefined, message, hint);
}

// Any other branch may be for another service, and its lock by anybody.
function readHere(
  states: readonly OtherState[],
  { owner, service }: Pick<SendingState, "owner" | "service">,
): OtherLock[] {
  return readOthers(states, owner).filter(
    (other) => other.movedTo === undefined && isTrusted(other) && sharesService(other.lock.service, service),
  );
}

// A branch from before the first apply has none of it, and its history has not either.
async function checkBegunOnBranch(sending: SendingState): Promise<Finding[]> {
  const { store, lock } = sending;
  const { lockName, memory } = store;
  const [ahead] = locksAhead(lock, readHere((await memory?.branches("all")) ?? [], sending));
  if (!ahead) return [];
  const message = say`nothing was applied by ${bare({ lock: lockName })} of this branch, but by that of ${bare({ source: ahead.where })}, which has serial ${{ expected: ahead.lock.serial }}`;
  const hint =
    "merge that branch, then plan again; or delete it, if all that it applied is gone from the service";
  return [error("lock-behind", undefined, message, hint)];
}

/** Tells that git's history of a lock is incomplete, so that what was compared with it may be less than there was. */
export function explainCut(name: string): Finding {
  const message = say`git's history is incomplete here, so ${bare({ lock: name })} could not be compared with everything that was applied`;
  return note(
    "lock-history-cut",
    undefined,
    message,
    "fetch the rest of it: `git fetch --unshallow`, or in a partial clone `git fetch --refetch --no-filter`; of a lock in Git LFS git has none",
  );
}
