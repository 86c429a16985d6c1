import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/**
 * Gives the folder of a workspace as seen from the root of its repository, with `/` and one at the end;
 * empty where the workspace is the root, or in no repository.
 */
export function repositoryFolder(directory: string): string {
  const root = repositoryRoot(directory);
  const path = root === undefined ? "" : relative(root, realpathSync(directory));
  return path === "" ? "" : `${path.split(sep).join("/")}/`;
}

/** Gives the real path of the repository that a folder is in; undefined where it is in none, or is not there. */
export function repositoryRoot(directory: string): string | undefined {
  if (!existsSync(directory)) return undefined;
  for (let root = realpathSync(directory); ; root = dirname(root)) {
    // A file in a worktree and in a submodule.
    if (existsSync(join(root, ".git"))) return root;
    if (dirname(root) === root) return undefined;
  }
}
