import { refused, type Checked } from "../../core/finding/checked.js";
import { error, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { appliedSettings } from "../../core/plan/applied-settings.js";
import { environmentName } from "../../core/resources/environment-name.js";
import type { Settings } from "../../core/resources/manifest.js";
import { isSameOwner, parseLock, renderLock, type Lock, type LockOwner } from "../../core/state/lock.js";
import type { RenamedState, RepairChange } from "../../core/lock-edit/repair-change.js";
import { explainMove, parseMove, renderMove, type DepartedLock } from "../../core/state/lock-move.js";
import { StoreChangedError, type StoredState, type LockStore } from "../../core/state/lock-store.js";
import { isTrusted } from "../../core/state/newest-lock.js";
import { nextWrite } from "../../core/state/lock-writes.js";
import { sealRefusal } from "../../core/state/stored-state.js";
import { equal, type JsonObject } from "../../json/json.js";
import { checkNewest } from "../around/newest-state.js";
import type { PlanRequest } from "../request.js";
import { newName, recoverState, type Scene } from "../transact.js";

/** A store, and whose state it has by which manifest. */
export interface End {
  readonly store: LockStore;
  readonly settings: Settings;
  readonly owner: LockOwner;
  /** How the manifest names the store. */
  readonly named: JsonObject;
}

/** A move between two places that this process holds. */
export interface MoveUnderWay {
  readonly from: End;
  readonly to: End;
  /** Why the state of the old place is not used, unless it is one that has left. */
  readonly refusal: readonly Finding[];
  readonly request: PlanRequest;
  /** Whether one of the two stores has something of a move that is not finished. */
  isUnderWay: boolean;
}

/** Whether a place has a lock with the new name already. */
export async function isRenamed({ store, owner }: End): Promise<boolean> {
  const { lock } = await store.read();
  return lock !== null && parseLock(lock, store.lockName, owner).ok;
}

/** Gives a lock that stays where it is the new name, with one write. */
export async function rename({ from, to }: MoveUnderWay, scene: Scene): Promise<Done> {
  if (await isRenamed(to)) return done({ type: "already-renamed", lock: to.store.lockName });
  const recovered = await recoverState(scene);
  if (!recovered.ok) return recovered;
  const lock = arrivingLock(recovered.lock, to);
  await to.store.replace(renderLock(lock), recovered.version);
  return done(renamedState(from, to, lock.serial));
}

/**
 * Moves a state: the new store gets it in a form that nothing uses, the old one says where it went, the new
 * one gets the lock. Wherever the process dies, at most one is used, and the same command goes on.
 */
export async function carryOver(move: MoveUnderWay, held: StoredState, scene: Scene): Promise<Done> {
  const { from, to, refusal } = move;
  const departed = departureIn(held, from.owner);
  if (departed) return await finish(departed, move);
  if (refusal.length > 0) return refused(refusal);
  const recovered = await recoverState(scene);
  if (!recovered.ok) return recovered;
  const { exists } = recovered;
  const left = exists ? recovered.lock : nextWrite(recovered.lock, recovered.lock, newName());
  const lock = arrivingLock(left, to);
  const stored = await to.store.read();
  const blocked = await findBlock(stored, lock, move);
  if (blocked && !exists) return done({ type: "nothing-to-move", lock: from.store.lockName });
  if (blocked) return refused([blocked]);
  const text = renderLock(lock);
  const { lineage, serial, writes } = lock;
  const end = { lineage, serial, writes };
  const arriving = renderMove({ ...to.owner, ...end, from: from.named, lock: text });
  const as = isSameOwner(from.owner, to.owner) ? {} : { as: to.owner };
  move.isUnderWay = true;
  // An empty state gets its lineage first, by which the same command knows what has arrived.
  const before = exists ? recovered.version : await from.store.replace(renderLock(left), recovered.version);
  const version = await to.store.replace(arriving, stored.version);
  // A standby that has taken over since may lack it, and it is all that there is once the state has left.
  if ((await to.store.read()).version !== version)
    throw new StoreChangedError(say`${bare({ lock: to.store.lockName })} has lost what was moved there`);
  await from.store.replace(renderMove({ ...from.owner, ...end, to: to.named, ...as }), before);
  await to.store.replace(text, version);
  move.isUnderWay = false;
  return done(movedState(from, to, serial));
}

/** Does what is left of a move whose process ended after the state had left the old store. */
async function finish(departed: DepartedLock, move: MoveUnderWay): Promise<Done> {
  const { from, to } = move;
  const isThither = equal(departed.to, to.named) && isSameOwner(departed.as ?? departed, to.owner);
  if (!isThither) return refused([explainMove(departed, from.store.lockName)]);
  const { lock: text, version, journal, seal } = await to.store.read();
  if (seal === "wrong" || seal === "missing") throw sealRefusal(seal, to.store.lockName, to.owner);
  const end = text === null ? undefined : parseMove(text);
  const isEmptied = journal === null && (text === null || (end?.to && !isAfter(end, departed)) === true);
  const arrived = isEmptied ? await arrivedBefore(to.store, version, departed) : end;
  if (arrived?.lock !== undefined && arrived.writes === departed.writes) {
    move.isUnderWay = true;
    await to.store.replace(arrived.lock, version);
    return done(movedState(from, to, arrived.serial));
  }
  if (end && isAfter(end, departed)) return refused([explainMove(end, to.store.lockName)]);
  const there = text === null ? undefined : parseLock(text, to.store.lockName, to.owner);
  if (there?.ok && isAfter(there.lock, departed)) {
    const { serial } = there.lock;
    return done({ type: "already-moved", lock: from.store.lockName, to: to.store.lockName, serial });
  }
  const message = say`${bare({ lock: from.store.lockName })} has moved to ${bare({ to: to.store.lockName })}, which does not have what was moved there (serial ${{ serial: departed.serial }})`;
  const hint = `restore an earlier version of ${to.store.lockName}, or, if it never had one, put back what ${from.store.lockName} had before the move; agentform has changed neither of them`;
  return refused([error("lock-moved", undefined, message, hint)]);
}

/** Gives what this machine has written to a store in a move, which the store has lost since. */
async function arrivedBefore(
  { memory }: LockStore,
  version: string | null,
  departed: DepartedLock,
): Promise<ReturnType<typeof parseMove>> {
  const known = memory && (await memory.others([], version, memory.written()));
  return known?.states
    .filter(isTrusted)
    .flatMap(({ lock }) => (lock === null ? [] : (parseMove(lock) ?? [])))
    .find(({ lock, writes }) => lock !== undefined && writes === departed.writes);
}

/** What was done, by this or an earlier run. */
type Done = Checked<{ readonly change: RepairChange }>;

function done(change: RepairChange): Done {
  return { ok: true, change };
}

function departureIn({ lock }: StoredState, owner: LockOwner): DepartedLock | undefined {
  const end = lock === null ? undefined : parseMove(lock);
  if (!end?.to) return undefined;
  return isSameOwner(end, owner) ? end : undefined;
}

// The place that the lock remembers is that of the last apply, and the next one is to find it unchanged.
function arrivingLock(lock: Lock, { settings, owner }: End): Lock {
  const { lock: _place, folder: _folder, ...others } = lock.settings ?? {};
  const { lock: place, folder } = appliedSettings(settings, false);
  const there = { ...(place && { lock: place }), ...(folder !== undefined && { folder }) };
  const kept = lock.settings && { settings: { ...others, ...there } };
  return nextWrite(lock, { ...lock, ...kept, ...owner }, newName());
}

/** Finds why the state cannot move to a store: it has one already, or a newer one is known of it. */
async function findBlock(
  { lock: text, journal, newest }: StoredState,
  lock: Lock,
  { from, to, request }: MoveUnderWay,
): Promise<Finding | undefined> {
  const { lockName } = to.store;
  const end = text === null ? undefined : parseMove(text);
  const isOurs =
    end !== undefined &&
    isSameOwner(end, lock) &&
    isAfter(lock, end) &&
    (end.to !== undefined || equal(end.from, from.named));
  if (journal !== null || (text !== null && !isOurs)) return explainOccupied(lockName);
  const present = { lock, version: null, ...(newest !== undefined && { newest }), areEditsShown: false };
  const { directory } = request;
  const { environment } = to.owner;
  const behind = await checkNewest(to.store, present, to.owner, { directory, environment });
  return behind.find(({ severity }) => severity === "error");
}

/** Finds that a place has another state than the one that is to move there, also before any of several states has moved. */
export async function findOccupied(
  held: StoredState,
  owner: LockOwner,
  place: LockStore,
): Promise<Finding | undefined> {
  // A first apply that is at work is waited for, whatever is there.
  if (held.lock === null && held.holder) return undefined;
  const { lock } = await place.read();
  if (lock === null || parseMove(lock)) return undefined;
  // What has left is in the new place, and what is empty stays where it is.
  if (held.lock === null || departureIn(held, owner)) return undefined;
  return explainOccupied(place.lockName, held.lock === lock);
}

function explainOccupied(lockName: string, isSame = false): Finding {
  const hint = isSame
    ? "if both are names of one place, nothing has to move: write the new `spec.lock` into agentform.yaml; if it is a copy, remove it there first"
    : "choose a different place; if what is there is not needed any more, remove it there first";
  return error("lock-occupied", undefined, say`${bare({ lock: lockName })} has a state already`, hint);
}

function isAfter(
  later: Pick<Lock, "lineage" | "serial">,
  earlier: Pick<Lock, "lineage" | "serial">,
): boolean {
  return later.lineage === earlier.lineage && later.serial >= earlier.serial;
}

function movedState(from: End, to: End, serial: number): RepairChange {
  const renamed = isSameOwner(from.owner, to.owner) ? {} : { renamed: namesOf(from.owner, to.owner) };
  return { type: "moved", lock: from.store.lockName, to: to.store.lockName, serial, ...renamed };
}

/** Says that a state has a new name in the place where it was. */
function renamedState(from: End, to: End, serial: number): RepairChange {
  const renamed = namesOf(from.owner, to.owner);
  return { type: "renamed", lock: to.store.lockName, serial, renamed };
}

function namesOf(from: LockOwner, to: LockOwner): RenamedState {
  if (from.workspace !== to.workspace) return { of: "workspace", from: from.workspace, to: to.workspace };
  const [before, after] = [from, to].map(({ environment }) => environmentName(environment));
  return { of: "environment", from: before ?? "", to: after ?? "" };
}
