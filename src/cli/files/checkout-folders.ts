import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { repositoryRoot } from "../../git/repository.js";

/**
 * Gives those folders of a command whose content may come from a commit: for each folder the repository around it,
 * or else the folder itself. The root of a file system is never one.
 */
export function checkoutFolders(...directories: readonly string[]): string[] {
  return directories
    .map((directory) => repositoryRoot(directory) ?? directory)
    .filter((folder) => existsSync(folder) && dirname(folder) !== folder);
}
