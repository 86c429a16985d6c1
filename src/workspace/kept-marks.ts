import { openCache, type CacheOwner } from "./cache/cache.js";

/**
 * Opens the marks up to which a lock is known to continue everything that its medium remembers; those of an earlier
 * version also hold for what this machine wrote later.
 */
export function openMarks(
  version: string | null,
  writes: readonly string[],
  isOwn: boolean,
  owner: CacheOwner,
) {
  const cached = openCache("marks", owner);
  const kept = cached.value as { version: string | null; write: string; marks: string[] } | undefined;
  const holds = kept && writes.includes(kept.write) && (isOwn || kept.version === version);
  const known: readonly string[] = holds ? kept.marks : [];
  const keep = (marks: readonly string[]) => {
    const all = new Set([...known, ...marks]);
    if (all.size > known.length) cached.save({ version, write: writes[0], marks: [...all].slice(-20) });
  };
  return { known, keep };
}
