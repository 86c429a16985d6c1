import { bare, say, type Said } from "../finding/said.js";
import { nearAmong } from "../kind/near-address.js";
import { groupBy } from "../../json/groups.js";
import { lazy } from "../../json/once.js";
import { error, note, type Finding, type Place } from "../finding/diagnostic.js";
import { kindOfAddress } from "../kind/kinds.js";
import { entryDigest, type Lock, type LockEntry, type UnknownCreate } from "../state/lock.js";
import { movedFrom } from "../resources/former-address.js";
import type { Resource } from "../resources/resource.js";
import { idsOf } from "../kind/identity.js";
import { ownersIn } from "../state/known-ids.js";

/** Moves entries to new addresses all at once, so that swaps work; a move acts once, for the entry remembers it. */
export function moveEntries(lock: Lock, resources: ReadonlyMap<string, Resource>) {
  const moves = new Map<string, string>();
  const findings: Finding[] = [];
  // The addresses that are gone are the ones that can move.
  const near = lazy(() =>
    nearAmong(Object.keys(lock.resources).filter((address) => !resources.has(address))),
  );
  for (const resource of resources.values()) {
    const wanted = movedFrom(resource);
    if (wanted.length === 0) continue;
    const done = new Set((lock.resources[resource.address] ?? lock.unknown[resource.address])?.moved_from);
    for (const from of wanted) {
      const found = checkMove(resource, from, lock, done, near) ?? checkSecond(resource, from, moves);
      if (found) findings.push(found);
      else moves.set(resource.address, from);
    }
  }
  if (moves.size === 0) return { lock, moves, findings };
  // Only possible moves can conflict, and a move that is not done can block others.
  const moving = { lock, resources, moves };
  const dropped = [dropBlocked(moving), dropRivals(moving), dropBlocked(moving)].flat();
  return {
    lock: moves.size > 0 ? rename(lock, moves, resources) : lock,
    moves,
    findings: [...findings, ...dropped],
  };
}

function checkMove(
  resource: Resource,
  from: string,
  lock: Lock,
  done: ReadonlySet<string>,
  near: () => (word: string) => Said | undefined,
): Finding | undefined {
  const { address } = resource;
  const at = () => resource.place(["lifecycle", "moved_from"]);
  if (done.has(from)) {
    return note("move-done", at(), say`${{ from }} has already moved to ${{ address }}`, doneHint);
  }
  if (lock.resources[from] || lock.unknown[from]) return undefined;
  const message = say`there is no lock entry \`${bare({ from })}\`, so nothing moves`;
  // Without `moved_from`, what is left behind would not be found, and be created a second time.
  const isLeft = !lock.resources[address] && entryDigest(lock, from) !== null;
  if (isLeft) return note("move-done", at(), message);
  const hint = lock.resources[address] ? undefined : near()(from);
  return note("move-done", at(), message, hint === undefined ? doneHint : say`${hint} If not, ${doneHint}`);
}

const doneHint = "`moved_from` can be removed, unless another environment still needs it";

function checkSecond(
  resource: Resource,
  from: string,
  moves: ReadonlyMap<string, string>,
): Finding | undefined {
  const { address } = resource;
  const first = moves.get(address);
  if (first === undefined) return undefined;
  const message = say`${{ other: first }} and ${{ from }} both exist, and only one of them can move to ${{ address }}`;
  const hint = "name the one to keep; the other is forgotten";
  return error("move-invalid", resource.place(["lifecycle", "moved_from"]), message, hint);
}

interface Moving {
  readonly lock: Lock;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly moves: Map<string, string>;
}

function dropRivals({ resources, moves }: Moving): Finding[] {
  const takenBy = new Map<string, string>();
  const findings: Finding[] = [];
  for (const [to, from] of moves) {
    const other = takenBy.get(from);
    takenBy.set(from, other ?? to);
    if (other === undefined) continue;
    const at = resources.get(to)?.place(["lifecycle", "moved_from"]);
    const message = say`${{ from }} already moves to ${{ other }}`;
    const hint = at?.each ? keyHint : "remove `moved_from` from one of them";
    findings.push(error("move-invalid", at, message, hint));
    moves.delete(to);
  }
  return findings;
}

// An address must be free or left by a move, the old one without a document; one dropped may drop others.
function dropBlocked({ lock, resources, moves }: Moving): Finding[] {
  // By old address: those that are to move away from it.
  const leaving = new Map(
    [...groupBy(moves, ([, from]) => from)].map(([from, all]) => [from, new Set(all.map(([to]) => to))]),
  );
  const isTaken = (to: string) =>
    !leaving.has(to) && (lock.resources[to] !== undefined || lock.unknown[to] !== undefined);
  const stays = (from: string) => resources.has(from) && !moves.has(from);
  const findings: Finding[] = [];
  const queue = [...moves.keys()];
  for (const to of queue) {
    const from = moves.get(to);
    if (from === undefined || (!isTaken(to) && !stays(from))) continue;
    const at = resources.get(to)?.place(["lifecycle", "moved_from"]);
    findings.push(stays(from) ? explainOwn(from, to, isTaken(to), at) : refuseTaken(from, to, at));
    moves.delete(to);
    const others = leaving.get(from);
    others?.delete(to);
    if (others?.size === 0) leaving.delete(from);
    // What was to move away from here, or to where this one was to leave, may be blocked now.
    for (const other of leaving.get(to) ?? []) queue.push(other);
    queue.push(from);
  }
  return findings;
}

// A new document may have the name that another one had long ago; whose the object is, is clear if there are two.
function explainOwn(from: string, to: string, areTwo: boolean, at: Place | undefined): Finding {
  if (areTwo) {
    const message = say`${{ from }} and ${{ to }} each have a document and an object, so nothing moves`;
    return note("move-done", at, message, doneHint);
  }
  const message = say`${{ from }} still has a document of its own, so its object cannot move to ${{ to }}`;
  return error("move-invalid", at, message, `${withoutMove(at)}, or give the other document a new name`);
}

// The documents of a `for_each` are one, so that a line in it is for all of its keys.
const keyHint =
  'give each key of `for_each` an address of its own: write `moved_from: "${each:from}"`, and `from: []` for a key where nothing moves';

function withoutMove(at: Place | undefined): string {
  return at?.each ? keyHint : "remove `moved_from`";
}

function refuseTaken(from: string, to: string, at: Place | undefined): Finding {
  const message = say`${{ to }} exists already, so ${{ from }} cannot move there`;
  return error("move-invalid", at, message, `${withoutMove(at)}, or forget one of the two first`);
}

function rename(
  lock: Lock,
  moves: ReadonlyMap<string, string>,
  documents: ReadonlyMap<string, Resource>,
): Lock {
  const resources = { ...lock.resources };
  const unknown = { ...lock.unknown };
  for (const from of moves.values()) {
    delete resources[from];
    delete unknown[from];
  }
  for (const [to, from] of moves) {
    const asked = documents.get(to);
    const entry = lock.resources[from];
    if (entry && asked) resources[to] = withMoves(entry, asked, from);
    const pending = lock.unknown[from];
    if (pending && asked) unknown[to] = withMoves(pending, asked, from);
  }
  return { ...lock, resources, unknown };
}

// Moves that the document no longer asks for need not be remembered.
function withMoves<T extends LockEntry | UnknownCreate>(entry: T, resource: Resource, from: string): T {
  const asked = new Set(movedFrom(resource));
  const kept = (entry.moved_from ?? []).filter((each) => asked.has(each));
  return { ...entry, moved_from: [...new Set([...kept, from])] };
}

/** Gives the lock entries by which an address is guarded: labels and protection of each of them hold. */
export type EntriesBefore = (address: string) => readonly LockEntry[];

/** Finds entries in the lock and in the base commit's, for a change may edit the lock to lose a label or a mark. */
export function entriesBefore(
  { resources }: Pick<Lock, "resources">,
  base: Lock | undefined,
  documents: ReadonlyMap<string, Resource>,
): EntriesBefore {
  const before = base && moveEntries(base, documents).lock;
  const ownersOf = before && ownersIn(before);
  return (address) => {
    const entry = resources[address];
    const ids = entry && ownersOf ? idsOf(entry).flatMap((id) => ownersOf(address, id)) : [];
    const kind = kindOfAddress(address);
    const owners = new Set([address, ...ids.filter((owner) => kindOfAddress(owner) === kind)]);
    return [entry, ...[...owners].map((owner) => before?.resources[owner])].filter(
      (each) => each !== undefined,
    );
  };
}
