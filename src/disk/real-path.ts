import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Gives a path without links, as its folders spell it, which only the system tells where case is ignored. */
export function realPath(path: string): string {
  return realpathSync.native(path);
}

/** Gives a folder's real path, or of one that is gone, as when git changes branches, what it would be. */
export function realFolder(folder: string): string {
  try {
    return realPath(folder);
  } catch {
    const path = resolve(folder);
    const above = dirname(path);
    return above === path ? path : join(realFolder(above), basename(path));
  }
}
