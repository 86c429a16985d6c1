import { indexOf } from "../core/state/lock.js";
import type { LockIndex } from "../core/state/lock-index.js";
import { cacheFingerprint } from "./cache/cache-fingerprint.js";
import { contentDigest } from "../digest.js";
import { noPack, openPack, type Pack } from "./cache/pack.js";

/** The workspace of a lock's index, and the folder where indexes are cached. */
interface IndexOwner {
  readonly directory: string;
  readonly environment?: string | null;
  readonly cacheFolder?: string;
}

// A shorter lock is read as fast as its index.
const worthKeeping = 1_000_000;

/**
 * Gives the index of a lock's text, from the cache if the text is unchanged. The version is its SHA-256 in
 * hexadecimal digits, if known.
 */
export function cachedIndex(text: string, version: string | null, owner: IndexOwner): LockIndex | undefined {
  const { cacheFolder, directory, environment = null } = owner;
  if (cacheFolder === undefined || text.length < worthKeeping) return indexOf(text);
  const pack = openPack(cacheFolder, JSON.stringify(["lock", directory, environment]), cacheFingerprint);
  const key = version ?? contentDigest(text);
  const known = pack.get(key)?.head as LockIndex | undefined;
  const index = known ?? indexOf(text);
  if (index && !known) pack.keep(key, index, []);
  pack.save();
  pack.close();
  return index;
}

/** The lock of some marks, and the folder where they are cached. */
export type MarksOwner = IndexOwner;

interface Marks {
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
  owner: MarksOwner,
): readonly string[] {
  const pack = openMarks(owner);
  const known = writes.map((write) => pack.get(marksKey(write))?.head as Marks | undefined);
  pack.close();
  const nearest = known.find((each) => each !== undefined);
  const isOwn = written !== null && written === version;
  return nearest && (isOwn || nearest.version === version) ? nearest.marks : [];
}

/** Stores the marks up to which a lock continues everything that its medium remembers. */
export function keepMarks(
  version: string | null,
  [write]: readonly string[],
  marks: readonly string[],
  owner: MarksOwner,
): void {
  if (write === undefined) return;
  const pack = openMarks(owner);
  const head: Marks = { version, marks: [...new Set(marks)].slice(-mostMarks) };
  pack.keep(marksKey(write), head, []);
  pack.save();
  pack.close();
}

function openMarks({ cacheFolder, directory, environment = null }: MarksOwner): Pack {
  if (cacheFolder === undefined) return noPack;
  return openPack(cacheFolder, JSON.stringify(["marks", directory, environment]), cacheFingerprint);
}

function marksKey(write: string): string {
  return contentDigest(`marks ${write}`);
}
