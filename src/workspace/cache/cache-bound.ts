import { readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { unlessFailing } from "./unless-failing.js";

/** How many bytes all packs together, and so any one of them, may have. */
export const cacheLimit = 1_000_000_000;

const hour = 3_600_000;
const lifetime = 30 * 24 * hour;

interface Found {
  readonly path: string;
  readonly size: number;
  /** When it was last used, in milliseconds since 1970. */
  readonly used: number;
}

/** Removes from a cache folder what nobody used for 30 days, the least recently used above the limit, and what writers that were killed left behind; what cannot be removed stays. */
export function boundCache(folder: string): void {
  const packs: Found[] = [];
  const now = Date.now();
  for (const inner of foldersIn(folder)) {
    const path = join(folder, inner);
    const found = filesIn(path);
    for (const file of found) {
      const age = now - file.used;
      if (file.path.endsWith(".pack") && age <= lifetime) packs.push(file);
      else if (file.path.endsWith(".pack") || age > hour) remove(file);
    }
  }
  removeOldest(packs);
  for (const inner of foldersIn(folder)) removeEmpty(join(folder, inner));
}

function removeOldest(packs: Found[]): void {
  let total = packs.reduce((sum, { size }) => sum + size, 0);
  for (const pack of packs.toSorted((a, b) => a.used - b.used)) {
    if (total <= cacheLimit) return;
    remove(pack);
    total -= pack.size;
  }
}

// Only what has a name that a pack gives: the folder may have been chosen badly, and hold other things.
function foldersIn(folder: string): string[] {
  const entries = unlessFailing(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) =>
    entry.isDirectory() && /^[0-9a-f]{32}$/.test(entry.name) ? [entry.name] : [],
  );
}

function filesIn(folder: string): Found[] {
  const names = unlessFailing(() => readdirSync(folder)) ?? [];
  return names.flatMap((name) => {
    if (!/^[0-9a-f]{32}\.(pack|[0-9a-f]{16}\.tmp)$/.test(name)) return [];
    const path = join(folder, name);
    const stat = unlessFailing(() => statSync(path));
    return stat?.isFile() ? [{ path, size: stat.size, used: stat.mtimeMs }] : [];
  });
}

function remove({ path }: Found): void {
  unlessFailing(() => rmSync(path, { force: true }));
}

function removeEmpty(folder: string): void {
  unlessFailing(() => rmdirSync(folder));
}
