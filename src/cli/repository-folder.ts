import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/**
 * Gives the folder of a workspace as seen from the root of its repository, with `/` and one at the end;
 * empty where the workspace is the root, or in no repository.
 */
export function repositoryFolder(directory: string): string {
  // There is nothing to report places of where there is no such folder.
  if (!existsSync(directory)) return "";
  const folder = realpathSync(directory);
  for (let root = folder; ; root = dirname(root)) {
    // A file in a worktree and in a submodule.
    if (existsSync(join(root, ".git"))) {
      const path = relative(root, folder);
      return path === "" ? "" : `${path.split(sep).join("/")}/`;
    }
    if (dirname(root) === root) return "";
  }
}
