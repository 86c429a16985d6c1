import { idKey } from "../kind/id.js";
import { ledgerByKind, retiredId } from "./ledger.js";
import { idsIn } from "./known-ids.js";
import { lazy } from "../../json/once.js";
import { choiceOf, stateOptions } from "./state-choice.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { idsOf } from "../kind/identity.js";
import type { Lock } from "./lock.js";
import { isDeleted } from "./deleted.js";
import { mergeLocks } from "./lock-merge.js";
import { explainOlderThanMove, type DepartedLock } from "./lock-move.js";
import type { OtherState, StateTexts, StoredState } from "./lock-store.js";
import { isOutgrown, isUnder, notUnder, writesOf } from "./lock-writes.js";

/** An earlier lock, or one from elsewhere, such as a commit. */
export interface OtherLock extends Omit<OtherState, keyof StateTexts> {
  readonly lock: Lock;
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
 * Gives the other locks that contain something that a lock does not: a write, or an ID. One that nobody has
 * sealed, and of which the lock contains the write, has no more IDs than somebody has put into its text.
 */
export function locksAhead(present: Lock, others: readonly OtherLock[]): OtherLock[] {
  const apart = new Set(
    locksApart(present, others).filter(
      ({ lock, copyName }) => copyName === undefined || !isOutgrown(lock, present),
    ),
  );
  const isLost = lostFrom(present);
  return others.filter((other) => apart.has(other) || (isTrusted(other) && losesAny(other.lock, isLost)));
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
  const { lock, where } = newest;
  const what = say`${bare({ lock: name })} ${howItLags(present, lock, where)}`;
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

function howItLags(present: Lock, newest: Lock, where: string): Sentence {
  const source = bare({ source: where });
  const isTakenBack = present.serial === 0 || writesOf(newest).includes(writesOf(present)[0] ?? "");
  if (isTakenBack && present.serial < newest.serial)
    return say`is older than what was applied: it has serial ${{ found: present.serial }}, and ${source} has serial ${{ expected: newest.serial }}`;
  const { resources, retired } = lostPart(newest, lostFrom(present));
  const lost = [...Object.keys(resources), ...Object.values(retired).map(({ address }) => address)];
  // An apply that has died may have no ID yet.
  if (!isTakenBack || lost.length === 0)
    return say`does not contain an apply that was made elsewhere: serial ${{ serial: newest.serial }} of ${source}`;
  return say`lacks IDs that were applied: ${bare({ addresses: [...new Set(lost)] })} of ${source} (serial ${{ expected: newest.serial }})`;
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
    const theirs = isApart ? other.lock : lostPart(other.lock, lostFrom(joined));
    const base = isApart ? commonLock(joined, theirs, [...known, { lock: present, where: "" }]) : undefined;
    joined = mergeLocks({ base, ours: joined, theirs }, newName());
  }
  return joined;
}

// The newest write that both contain, if the lock that it made can still be found.
function commonLock(ours: Lock, theirs: Lock, known: readonly OtherLock[]): Lock | undefined {
  const under = new Set(writesOf(theirs));
  const common = writesOf(ours).find((write) => under.has(write));
  return common === undefined ? undefined : known.find(({ lock }) => writesOf(lock)[0] === common)?.lock;
}

/** The content of an older version that was removed from a lock without a write. */
function lostPart(older: Lock, isLost: IsLost): Lock {
  const entries = Object.entries(older.resources).filter(([address, entry]) =>
    idsOf(entry).some((id) => isLost(older, address, id)),
  );
  const retired = Object.entries(older.retired).filter(([key, object]) =>
    isLost(older, object.address, retiredId(key, object)),
  );
  return {
    ...older,
    resources: Object.fromEntries(entries),
    retired: Object.fromEntries(retired),
    unknown: {},
  };
}

type IsLost = (older: Lock, address: string, id: string) => boolean;

/** Makes a function that tells whether an ID of an older version is gone from a lock although nothing deleted it. */
function lostFrom(present: Lock): IsLost {
  const { resources, retired, deleted_before: uncertainBefore = 0 } = present;
  const keys = lazy(
    () => new Set([...idsIn(resources).map(({ key }) => key), ...Object.keys(ledgerByKind(retired))]),
  );
  // What an older version has may be deleted since, and be too long ago to be named.
  return (older, address, id) =>
    !keys().has(idKey(address, id)) && older.serial >= uncertainBefore && !isDeleted(present, address, id);
}

function losesAny(older: Lock, isLost: IsLost): boolean {
  const { resources, retired } = lostPart(older, isLost);
  return Object.keys(resources).length + Object.keys(retired).length > 0;
}
