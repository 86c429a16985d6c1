import type { Lock } from "./lock.js";

/** How many writes a lock names: the bound of a list that would grow for as long as the lock lives. */
const namedWrites = 100;

/** What tells which writes a version of a lock rests on. */
export type Written = Pick<Lock, "serial" | "writes">;

/** Gives a lock as it is written after another, by a write of that name. */
export function nextWrite(before: Lock, after: Lock, write: string): Lock {
  return { ...named(before, after, write), serial: nextSerial(before.serial) };
}

/**
 * Gives what became of a lock with the name of the write that made it so. Entries that were made since bear that
 * name, even where they say the same as before: the service was told of them.
 */
export function named(before: Lock, after: Lock, write: string): Lock {
  const resources = { ...after.resources };
  for (const [address, entry] of Object.entries(resources)) {
    if (entry !== before.resources[address]) resources[address] = { ...entry, write };
  }
  const writes = [write, ...writesOf(before)].slice(0, namedWrites).join(" ");
  return { ...after, writes, resources };
}

/** Gives the names of the writes that a version rests on, newest first; none for a version that names none. */
export function writesOf({ writes }: Pick<Lock, "writes">): readonly string[] {
  return writes === undefined ? [] : writes.split(" ");
}

/** Gives what two versions of a lock are written as together, with a write of its own on top. */
export function joinWrites(ours: Written, theirs: Written, write: string): Required<Written> {
  const [mine, others] = [writesOf(ours), writesOf(theirs)];
  // In turn, so that the newest of both stay within the bound.
  const inTurn = Array.from({ length: Math.max(mine.length, others.length) }, (_, index) => [
    mine[index],
    others[index],
  ]).flat();
  const names = [...new Set([write, ...inTurn])].filter((name) => name !== undefined);
  return {
    serial: nextSerial(Math.max(ours.serial, theirs.serial)),
    writes: names.slice(0, namedWrites).join(" "),
  };
}

/**
 * Gives those of a lock's versions that a version does not rest on: what they know, it does not. A version
 * without names of writes is from an older agentform, of which the serial alone tells.
 */
export function notUnder<Version extends Written>(present: Written, versions: readonly Version[]): Version[] {
  const under = new Set(writesOf(present));
  const missing: Version[] = [];
  // Each version that it rests on names a hundred more.
  for (const version of versions.toSorted((a, b) => b.serial - a.serial)) {
    const names = writesOf(version);
    const [last] = names;
    const isUnder = last === undefined ? version.serial <= present.serial : under.has(last);
    if (isUnder) for (const name of names) under.add(name);
    else missing.push(version);
  }
  return missing;
}

/** Whether a version of a lock rests on another, and so knows all that this one knows. */
export function isUnder(version: Written, present: Written): boolean {
  return notUnder(present, [version]).length === 0;
}

// A number that was edited to be as large as it can be must not make a lock that cannot be read again.
/** Gives the serial of the write after one. */
export function nextSerial(serial: number): number {
  return Math.min(serial + 1, Number.MAX_SAFE_INTEGER);
}
