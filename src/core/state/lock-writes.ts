import type { Lock } from "./lock.js";

/** How many writes a lock names; without a limit the list would grow for as long as the lock exists. */
const namedWrites = 100;

/** The part of a lock that tells which writes it contains. */
export type Written = Pick<Lock, "serial" | "writes">;

/** Gives a lock as written after an earlier one, by a write with this name. */
export function nextWrite(before: Lock, after: Lock, write: string): Lock {
  return { ...named(before, after, write), serial: nextSerial(before.serial) };
}

/** Names the write in the entries that it made, also equal ones, because the service was sent them. */
export function named(before: Lock, after: Lock, write: string): Lock {
  const resources = { ...after.resources };
  for (const [address, entry] of Object.entries(resources)) {
    if (entry !== before.resources[address]) resources[address] = { ...entry, write };
  }
  const writes = [write, ...writesOf(before)].slice(0, namedWrites).join(" ");
  return { ...after, writes, resources };
}

/** Gives the names of the writes that a version contains, newest first; none before the first. */
export function writesOf({ writes }: Pick<Lock, "writes">): readonly string[] {
  return writes === "" ? [] : writes.split(" ");
}

/** Gives the writes of two merged versions, with a write of its own on top. */
export function joinWrites(ours: Written, theirs: Written, write: string): Written {
  const [mine, others] = [writesOf(ours), writesOf(theirs)];
  // Alternately, so that the newest of both stay within the limit.
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

/** Gives those of a lock's versions whose writes a version does not contain. */
export function notUnder<Version extends Written>(present: Written, versions: readonly Version[]): Version[] {
  const under = new Set(writesOf(present));
  const missing: Version[] = [];
  // Each version that it contains names a hundred further writes.
  for (const version of versions.toSorted((a, b) => b.serial - a.serial)) {
    const names = writesOf(version);
    const [last] = names;
    if (last === undefined || under.has(last)) for (const name of names) under.add(name);
    else missing.push(version);
  }
  return missing;
}

/** Whether a version is so far behind one of the same lineage that this one cannot name its writes any more. */
export function isOutgrown(
  version: Written & Pick<Lock, "lineage">,
  present: Written & Pick<Lock, "lineage">,
): boolean {
  const names = writesOf(present).length;
  return (
    version.lineage === present.lineage && names >= namedWrites && version.serial <= present.serial - names
  );
}

/** Whether a version of a lock rests on another, and so knows all that this one knows. */
export function isUnder(version: Written, present: Written): boolean {
  return notUnder(present, [version]).length === 0;
}

// A number edited to the largest possible must not give a lock that cannot be read again.
/** Gives the serial of the write after one. */
export function nextSerial(serial: number): number {
  return Math.min(serial + 1, Number.MAX_SAFE_INTEGER);
}
