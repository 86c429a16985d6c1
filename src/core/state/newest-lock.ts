import { idKey } from "../kind/id.js";
import { ledgerByKind, keyIn, putRetired, retiredId } from "./ledger.js";
import { idsIn } from "./known-ids.js";
import { equal, type Json } from "../../json/json.js";
import { lazy } from "../../json/once.js";
import { choiceOf, stateOptions } from "./state-choice.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { idsOf } from "../kind/identity.js";
import { emptyLock, isSameOwner, type Lock, type LockOwner } from "./lock.js";
import { isDeleted } from "./deleted.js";
import { mergeLocks } from "./lock-merge.js";
import { explainOlderThanMove, parseMove, type DepartedLock } from "./lock-move.js";
import type { OtherState, StateTexts, StoredState } from "./lock-store.js";
import { retiredObjects } from "./retired.js";
import { isOutgrown, isUnder, notUnder, writesOf } from "./lock-writes.js";

/** Gives what takes the place of an owner's lock that has moved away, as a lock without entries; undefined for anything else. */
export function departedLock(
  text: string | null,
  owner: LockOwner,
): Required<Pick<OtherLock, "lock" | "movedTo">> | undefined {
  const move = text === null ? undefined : parseMove(text);
  if (!move?.to || !isSameOwner(move, owner)) return undefined;
  const { lineage, serial, writes } = move;
  return { lock: { ...emptyLock(owner, lineage), serial, writes }, movedTo: move };
}

/** An earlier lock, or one from elsewhere, such as a commit. */
export interface OtherLock extends Omit<OtherState, keyof StateTexts> {
  readonly lock: Lock;
  /** Whether a part of it comes from a journal, whose apply may have ended otherwise since. */
  readonly hasJournal?: true;
  /** Where the state had moved to when this took the place of the lock, which has no entries then. */
  readonly movedTo?: Pick<DepartedLock, "to" | "as">;
}

/** Whether a state has a right seal, or nothing that a seal could say something of; without one, anybody can have written it. */
export function isTrusted({ seal = "right" }: Pick<StoredState, "seal">): boolean {
  return seal === "right";
}

/** Gives the other locks that contain a write that a lock does not. */
export function locksApart(present: Lock, others: readonly OtherLock[]): OtherLock[] {
  const locksOf = (some: readonly OtherLock[]) => some.map(({ lock }) => lock);
  // What nobody has sealed does not say which writes of the others a lock contains, but for those that are too far behind
  // for the lock to name them: no state was set back to hide these.
  const trusted = new Set(notUnder(present, locksOf(others.filter(isTrusted))));
  const all = new Set(notUnder(present, locksOf(others)));
  const needsSeal = (other: OtherLock) => isTrusted(other) && !isOutgrown(other.lock, present);
  return others.filter((other) => (needsSeal(other) ? trusted : all).has(other.lock));
}

/**
 * Gives the other locks that contain something that a lock does not: a write, an ID, or a create with an unknown
 * outcome. One that nobody has sealed, and of which the lock contains the write, has no more IDs than somebody has put into its text.
 */
export function locksAhead(present: Lock, others: readonly OtherLock[]): OtherLock[] {
  const apart = new Set(
    locksApart(present, others).filter(
      ({ lock, copyName }) => copyName === undefined || !isOutgrown(lock, present),
    ),
  );
  const lostOf = lostFrom(present);
  return others.filter((other) => apart.has(other) || (isTrusted(other) && hasAny(lostOf(other))));
}

/** Gives what a state lacks of the newest versions of its lineage that were written apart from it, and know no other of them. */
export function leftApart(present: Lock, others: readonly OtherLock[]): OtherLock[] {
  const known = new Set<string>();
  const lostOf = lostFrom(present);
  return locksApart(present, others)
    .filter(
      ({ lock, movedTo, ...other }) =>
        isTrusted(other) && movedTo === undefined && lock.lineage === present.lineage,
    )
    .toSorted((a, b) => b.lock.serial - a.lock.serial)
    .flatMap((other) => {
      const [last = "", ...before] = writesOf(other.lock);
      const isKnown = known.has(last);
      for (const write of [last, ...before]) known.add(write);
      return isKnown ? [] : [{ ...other, lock: { ...lostOf(other), unknown: other.lock.unknown } }];
    });
}

/** Whether a lock is of the same state as another, and has nothing that the other lacks. */
export function isContained(lock: Lock, other: Lock): boolean {
  return other.lineage === lock.lineage && locksAhead(other, [{ lock, where: "" }]).length === 0;
}

/** Gives the newest version that goes on from a lock, or from what was there when the state had moved away. */
export function newestAfter(present: Lock, others: readonly OtherLock[]): OtherLock | undefined {
  const isLater = ({ lock, movedTo }: OtherLock) =>
    movedTo === undefined && isUnder(present, lock) && lock.serial > present.serial;
  return others.filter(isLater).toSorted((a, b) => b.lock.serial - a.lock.serial)[0];
}

/** Finds that a state has moved away, and has not come back with any of the locks that are ahead. */
export function explainDeparture(ahead: readonly OtherLock[], name: string): Finding[] {
  const locks = ahead.filter(({ movedTo }) => movedTo === undefined);
  const departed = ahead.find(
    ({ lock, movedTo }) => movedTo !== undefined && !locks.some((other) => isUnder(lock, other.lock)),
  );
  return departed?.movedTo ? [explainOlderThanMove(departed.movedTo, name, departed.where)] : [];
}

/** Reports that a lock was set back, or that two locks were written independently. */
export function explainAhead(present: Lock, ahead: readonly OtherLock[], name: string): Finding[] {
  const departure = explainDeparture(ahead, name);
  if (departure.length > 0) return departure;
  const [newest] = ahead.toSorted((a, b) => b.lock.serial - a.lock.serial);
  if (!newest) return [];
  const { lock } = newest;
  const what = say`${bare({ lock: name })} ${howItLags(present, newest)}`;
  const more = ahead.length > 1 ? say` (and ${{ count: ahead.length - 1 }} more)` : "";
  const mend = `run \`agentform lock restore${stateOptions(choiceOf(lock))}\`, which restores the newest state and keeps every ID; then plan again`;
  return [
    error(
      "lock-behind",
      undefined,
      say`${what}${more}`,
      present.serial === 0 ? say`${mend}${howToBeginAnew(present, ahead)}` : mend,
    ),
  ];
}

// Whoever removed a state to begin anew knows that it is gone. A copy can be deleted, and what git or a server has kept cannot.
function howToBeginAnew({ environment }: Lock, ahead: readonly OtherLock[]): Sentence {
  const copy = ahead.length === 1 ? ahead[0]?.copyName : undefined;
  const how =
    copy === undefined
      ? say`give the ${environment === null ? "workspace" : "environment"} a new name`
      : say`delete ${bare({ file: copy })}`;
  return say`; if it was removed in order to begin anew, ${how}`;
}

function howItLags(present: Lock, other: OtherLock): Sentence {
  const { lock: newest, where } = other;
  const source = bare({ source: where });
  const isTakenBack = present.serial === 0 || writesOf(newest).includes(writesOf(present)[0] ?? "");
  if (isTakenBack && present.serial < newest.serial)
    return say`is older than what was applied: it has serial ${{ found: present.serial }}, and ${source} has serial ${{ expected: newest.serial }}`;
  const { resources, retired, unknown } = lostFrom(present)(other);
  const named = [...Object.keys(resources), ...Object.values(retired).map(({ address }) => address)];
  const lost = named.length > 0 ? named : Object.keys(unknown);
  // An apply that has died may have no ID yet.
  if (!isTakenBack || lost.length === 0)
    return say`does not contain an apply that was made elsewhere: serial ${{ serial: newest.serial }} of ${source}`;
  const what = named.length > 0 ? "IDs that were applied" : "creates with an unknown outcome";
  return say`lacks ${what}: ${bare({ addresses: [...new Set(lost)] })} of ${source} (serial ${{ expected: newest.serial }})`;
}

/** Merges a lock with all that contain more than it does; `newName` names each write that results. */
export function joinAhead(
  present: Lock,
  ahead: readonly OtherLock[],
  known: readonly OtherLock[],
  newName: () => string,
): Lock {
  let joined = present;
  for (const other of ahead.toSorted((a, b) => b.lock.serial - a.lock.serial)) {
    if (locksAhead(joined, [other]).length === 0) continue;
    const isApart = locksApart(joined, [other]).length > 0;
    const theirs = isApart ? other.lock : lostFrom(joined)(other);
    const base = isApart ? commonLock(joined, theirs, [...known, { lock: present, where: "" }]) : undefined;
    joined = mergeLocks({ base, ours: isApart ? joined : withoutEdits(joined, theirs), theirs }, newName());
  }
  return joined;
}

// The newest write that both contain, if the lock that it made can still be found.
function commonLock(ours: Lock, theirs: Lock, known: readonly OtherLock[]): Lock | undefined {
  const under = new Set(writesOf(theirs));
  const common = writesOf(ours).find((write) => under.has(write));
  return common === undefined ? undefined : known.find(({ lock }) => writesOf(lock)[0] === common)?.lock;
}

/** Takes out what no write has put where what is lost was: somebody has edited it, and its IDs may be those of anything. */
function withoutEdits(present: Lock, lost: Lock): Lock {
  if (isOutgrown(lost, present)) return present;
  const before = new Set(writesOf(lost));
  const since = new Set<string | undefined>(writesOf(present).filter((write) => !before.has(write)));
  const edited = Object.entries(present.resources).filter(
    ([address, { write }]) => Object.hasOwn(lost.resources, address) && !since.has(write),
  );
  const resources = { ...present.resources };
  const retired = { ...present.retired };
  for (const [address] of edited) delete resources[address];
  const known = new Set([...idsIn(resources), ...idsIn(lost.resources)].map(({ key }) => key));
  for (const [address, entry] of edited) {
    for (const [id, object] of retiredObjects(address, entry, "forgotten")) {
      const isOwn = idsOf(entry).includes(id) && !known.has(idKey(address, id));
      if (isOwn && keyIn(retired, address, id) === undefined)
        putRetired(retired, id, { ...object, untold: true });
    }
  }
  return { ...present, resources, retired };
}

/** Makes a function that gives what of an other version is gone from a lock although no write took it away. */
function lostFrom(present: Lock): (other: OtherLock) => Lock {
  const { resources, retired, unknown, deleted_before: uncertainBefore = 0 } = present;
  const keys = lazy(
    () => new Set([...idsIn(resources).map(({ key }) => key), ...Object.keys(ledgerByKind(retired))]),
  );
  // What an older version has may be deleted since, and be too long ago to be named.
  const isLost = (older: Lock, address: string, id: string): boolean =>
    !keys().has(idKey(address, id)) && older.serial >= uncertainBefore && !isDeleted(present, address, id);
  return ({ lock: older, hasJournal, copyName }) => {
    const entries = Object.entries(older.resources).filter(([address, entry]) =>
      idsOf(entry).some((id) => isLost(older, address, id)),
    );
    const objects = Object.entries(older.retired).filter(([key, object]) =>
      isLost(older, object.address, retiredId(key, object)),
    );
    // Who resolves a create writes the lock anew. A journal of this machine is there until its apply has ended.
    const isOpen = hasJournal !== true || copyName !== undefined;
    const isSame = isOpen && writesOf(older)[0] === writesOf(present)[0];
    const isLeft = (address: string) =>
      equal(older.resources[address] as Json | undefined, resources[address] as Json | undefined);
    const creates = Object.entries(older.unknown).filter(
      ([address]) => isSame && !Object.hasOwn(unknown, address) && isLeft(address),
    );
    return {
      ...older,
      resources: Object.fromEntries(entries),
      retired: Object.fromEntries(objects),
      unknown: Object.fromEntries(creates),
    };
  };
}

function hasAny({ resources, retired, unknown }: Lock): boolean {
  return [resources, retired, unknown].some((table) => Object.keys(table).length > 0);
}
