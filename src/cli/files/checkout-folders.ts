import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { repositoryRoot } from "../../git/repository.js";

/**
 * Gives the folders, of some that a command works in, of whose content a commit may be the author: the repository
 * around each, or else the folder itself. Nobody's commit is the root of a file system.
 */
export function checkoutFolders(...directories: readonly string[]): string[] {
  return directories
    .map((directory) => repositoryRoot(directory) ?? directory)
    .filter((folder) => existsSync(folder) && dirname(folder) !== folder);
}
