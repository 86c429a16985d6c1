import { openCache, type CacheOwner } from "./cache/cache.js";

/** Opens the marks up to which a lock continues what its medium remembers; earlier ones hold for later writes here. */
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
