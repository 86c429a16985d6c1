import { isAddress } from "./address.js";
import { error, note, type Finding } from "./diagnostic.js";
import { kindOfAddress } from "./kinds.js";
import type { Lock, LockEntry, UnknownCreate } from "./lock.js";
import type { Resource } from "./resource.js";

/** A lock in which the moves that documents ask for have happened. */
export interface MovedLock {
  readonly lock: Lock;
  /** By new address: the one that its entry had. */
  readonly moves: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
}

/** The addresses in a document's `lifecycle.moved_from`. */
export function movedFrom({ lifecycle }: Resource): readonly string[] {
  const { moved_from: from = [] } = lifecycle;
  return typeof from === "string" ? [from] : from;
}

/**
 * Moves entries to the addresses that documents say they have now, all at once, so that chains and swaps
 * work. A move acts once: the entry remembers it.
 */
export function moveEntries(lock: Lock, resources: Iterable<Resource>): MovedLock {
  const moves = new Map<string, string>();
  const takenBy = new Map<string, string>();
  const findings: Finding[] = [];
  const movers: Resource[] = [];
  for (const resource of resources) {
    for (const from of movedFrom(resource)) {
      const found = checkMove(resource, from, lock, takenBy);
      if (found) findings.push(found);
      else if (!moves.has(resource.address)) {
        moves.set(resource.address, from);
        takenBy.set(from, resource.address);
        movers.push(resource);
      }
    }
  }
  if (moves.size === 0) return { lock, moves, findings };
  findings.push(...movers.flatMap((resource) => checkTarget(resource, lock, moves, takenBy)));
  return { lock: rename(lock, moves, movers), moves, findings };
}

function checkMove(
  { address, place }: Resource,
  from: string,
  lock: Lock,
  takenBy: ReadonlyMap<string, string>,
): Finding | undefined {
  const at = place(["lifecycle", "moved_from"]);
  if (!isAddress(from) || from === address || kindOfAddress(from) !== kindOfAddress(address)) {
    const kind = address.slice(0, address.indexOf(":"));
    return error("move-invalid", at, `\`${from}\` is no other address of the same kind`, `write \`${kind}:OLD-NAME\``);
  }
  const other = takenBy.get(from);
  if (other !== undefined) {
    return error("move-invalid", at, `\`${from}\` moves to \`${other}\` already`, "let one of the two have it");
  }
  if (lock.resources[address]?.moved_from?.includes(from)) {
    return note("move-done", at, `\`${from}\` has moved to \`${address}\``, "`moved_from` can be removed");
  }
  if (lock.resources[from] || lock.unknown[from]) return undefined;
  const hint = "`moved_from` can be removed, unless another environment still needs it";
  return note("move-done", at, `nothing is known of \`${from}\`, so nothing moves`, hint);
}

// The address must be free, or be left by a move of its own.
function checkTarget(
  { address, place }: Resource,
  lock: Lock,
  moves: ReadonlyMap<string, string>,
  takenBy: ReadonlyMap<string, string>,
): Finding[] {
  const isTaken = lock.resources[address] !== undefined || lock.unknown[address] !== undefined;
  if (!isTaken || takenBy.has(address)) return [];
  const message = `\`${address}\` exists already, so \`${moves.get(address)}\` cannot move there`;
  const hint = "remove `moved_from`, or forget one of the two first";
  return [error("move-invalid", place(["lifecycle", "moved_from"]), message, hint)];
}

function rename(lock: Lock, moves: ReadonlyMap<string, string>, movers: readonly Resource[]): Lock {
  const resources = { ...lock.resources };
  const unknown = { ...lock.unknown };
  for (const from of moves.values()) {
    delete resources[from];
    delete unknown[from];
  }
  for (const resource of movers) {
    const from = moves.get(resource.address) ?? "";
    const entry = lock.resources[from];
    if (entry) resources[resource.address] = withMoves(entry, resource, from);
    const pending = lock.unknown[from];
    if (pending) unknown[resource.address] = withMoves(pending, resource, from);
  }
  return { ...lock, resources, unknown };
}

// Moves that the document no longer asks for need not be remembered.
function withMoves<T extends LockEntry | UnknownCreate>(entry: T, resource: Resource, from: string): T {
  const kept = (entry.moved_from ?? []).filter((each) => movedFrom(resource).includes(each));
  return { ...entry, moved_from: [...new Set([...kept, from])] };
}
