import { realpathSync } from "node:fs";

/**
 * Gives the path of a file or folder without links, spelt as its folders list it. Where a file system ignores upper and
 * lower case, only the system can tell that. Throws what `node:fs` throws.
 */
export function realPath(path: string): string {
  return realpathSync.native(path);
}
