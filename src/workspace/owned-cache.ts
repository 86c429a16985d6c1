import { openCache, type Cached } from "./cache/cache.js";

/** What is cached belongs to a workspace and an environment; without a folder nothing is. */
export interface CacheOwner {
  readonly directory: string;
  readonly environment?: string | null;
  readonly cacheFolder?: string;
}

/** Reads what is kept of a workspace in one environment. */
export function openOwned(
  what: readonly string[],
  { cacheFolder, directory, environment = null }: CacheOwner,
): Cached {
  return openCache(cacheFolder, JSON.stringify([...what, directory, environment]));
}
