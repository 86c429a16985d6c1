import { indexOf } from "../core/lock.js";
import type { LockIndex } from "../core/lock-index.js";
import type { LockText } from "../core/lock-text.js";
import { cacheFingerprint } from "./cache/cache-fingerprint.js";
import { contentDigest } from "../digest.js";
import { openPack } from "./cache/pack.js";

/** Of which workspace a lock's index is, and where indexes are kept. */
interface IndexOwner {
  readonly directory: string;
  readonly environment?: string | null;
  readonly cacheFolder?: string;
}

// A shorter lock is read as quickly as its index.
const worthKeeping = 1_000_000;

/**
 * Gives the index of a lock's text, from the cache where the text is the same as before. The version is its
 * SHA-256 in hexadecimal digits, where that is known.
 */
export function cachedIndex(
  text: LockText,
  version: string | null,
  owner: IndexOwner,
): LockIndex | undefined {
  const { cacheFolder, directory, environment = null } = owner;
  if (cacheFolder === undefined || text.length < worthKeeping) return indexOf(text);
  const pack = openPack(cacheFolder, JSON.stringify(["lock", directory, environment]), cacheFingerprint);
  const key = version ?? contentDigest(text.slice(0, text.length));
  const known = pack.get(key)?.head as LockIndex | undefined;
  const index = known ?? indexOf(text);
  if (index && !known) pack.keep(key, index, []);
  pack.save();
  pack.close();
  return index;
}
