import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Gives the path of a file or folder without links, spelt as its folders list it. Where a file system ignores upper and
 * lower case, only the system can tell that. Throws what `node:fs` throws.
 */
export function realPath(path: string): string {
  return realpathSync.native(path);
}

/**
 * Gives the real path of a folder that may go at any moment, as another workspace does when git changes branches; of one
 * that is gone, that of the folder above with its name, and whoever reads there finds nothing.
 */
export function realFolder(folder: string): string {
  try {
    return realPath(folder);
  } catch {
    const path = resolve(folder);
    const above = dirname(path);
    return above === path ? path : join(realFolder(above), basename(path));
  }
}
