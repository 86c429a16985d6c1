import { ownLock, parseLock } from "../core/state/lock.js";
import { withBodies, withoutBodies, type BareLock } from "../core/state/bare-lock.js";
import { openCache, type CacheOwner } from "./cache/cache.js";

// A shorter lock is parsed as fast as what is kept of it.
const worthKeeping = 1_000_000;

/** Gives a parser for the lock of a version, which parses no text that is known by this version. */
export function lockParser(version: string | null, owner: CacheOwner): typeof parseLock {
  return (text, file, of) => {
    if (version === null || owner.cacheFolder === undefined || text.length < worthKeeping) {
      return parseLock(text, file, of);
    }
    const cached = openCache("lock", owner);
    const known = cached.value as { readonly version: string; readonly lock: BareLock } | undefined;
    if (known?.version === version) return ownLock(withBodies(known.lock, text), file, of);
    const parsed = parseLock(text, file, of);
    if (parsed.ok) cached.save({ version, lock: withoutBodies(parsed.lock) });
    return parsed;
  };
}

interface Marks {
  readonly write: string;
  readonly version: string | null;
  readonly marks: readonly string[];
}

const mostMarks = 20;

/**
 * Gives the marks up to which a lock is known to continue everything that its medium remembers. The result for one
 * lock also holds for later ones that this machine wrote.
 */
export function knownMarks(
  version: string | null,
  writes: readonly string[],
  written: string | null,
  owner: CacheOwner,
): readonly string[] {
  const known = openCache("marks", owner).value as Marks | undefined;
  if (!known || !writes.includes(known.write)) return [];
  const isOwn = written !== null && written === version;
  return isOwn || known.version === version ? known.marks : [];
}

/** Stores the marks up to which a lock continues everything that its medium remembers. */
export function keepMarks(
  version: string | null,
  [write]: readonly string[],
  marks: readonly string[],
  owner: CacheOwner,
): void {
  if (write === undefined) return;
  const kept: Marks = { write, version, marks: [...new Set(marks)].slice(-mostMarks) };
  openCache("marks", owner).save(kept);
}
