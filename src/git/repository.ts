import { lstatSync, readdirSync, readFileSync, statSync, type Stats } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { realFolder, realPath } from "../disk/real-path.js";
import { unlessFailing } from "../disk/unless-failing.js";

/** The repository of a checkout, all paths real and absolute. */
export interface Repository {
  /** The top folder of the work tree. */
  readonly root: string;
  /** The git folder of this work tree. */
  readonly gitDir: string;
  /** The git folder that all work trees of the repository share; often the same. */
  readonly commonDir: string;
}

/**
 * Finds the nearest folder with `.git`. Git's own search also obeys one with `HEAD`, `objects` and `refs`,
 * which a commit can bring, while it can bring no `.git`.
 */
export function findRepository(directory: string): Repository | undefined {
  const root = repositoryRoot(directory);
  if (root === undefined) return undefined;
  const gitDir = gitDirOf(root);
  if (gitDir === undefined || isBrought(gitDir, root)) return undefined;
  const shared = firstLine(join(gitDir, "commondir"));
  const commonDir = shared === undefined ? gitDir : existingPath(resolve(gitDir, shared));
  return commonDir === undefined ? undefined : { root, gitDir, commonDir };
}

/** Gives the git folders of the other work trees of a repository, and the top of each; undefined for a first one that is not around its git folder. */
export function workTreesBeside({ gitDir, commonDir }: Repository): { gitDir: string; root?: string }[] {
  const names = unlessFailing(() => readdirSync(join(commonDir, "worktrees"))) ?? [];
  const linked = names.toSorted().flatMap((name) => {
    const own = join(commonDir, "worktrees", name);
    const entry = firstLine(join(own, "gitdir"));
    return entry === undefined ? [] : [{ gitDir: own, root: dirname(resolve(own, entry)) }];
  });
  const above = dirname(commonDir);
  const first = gitDirOf(above) === commonDir ? { gitDir: commonDir, root: above } : { gitDir: commonDir };
  return [first, ...linked].filter((each) => each.gitDir !== gitDir);
}

/** Whether the history of a clone ends early, for git keeps where in a file. */
export function isShallowClone({ commonDir }: Repository): boolean {
  return look(join(commonDir, "shallow")) !== undefined;
}

/** Gives the real path of the top folder of the repository of a folder; undefined if there is none, or no such folder. */
export function repositoryRoot(directory: string): string | undefined {
  const start = existingPath(directory);
  return start === undefined ? undefined : ancestors(start).find((folder) => entryOf(folder) !== undefined);
}

/** Gives a folder's path from the top of its repository, with `/` at the end; empty for the top, or outside of one. */
export function repositoryFolder(directory: string): string {
  const root = repositoryRoot(directory);
  const path = root === undefined ? "" : relative(root, realFolder(directory));
  return path === "" ? "" : `${path.split(sep).join("/")}/`;
}

function entryOf(folder: string): "folder" | "file" | undefined {
  const path = join(folder, ".git");
  const stat = look(path) ?? unlessFailing(() => lstatSync(path));
  if (stat?.isDirectory()) return "folder";
  // A link that leads nowhere is a repository that git cannot be asked about, and not none.
  return stat?.isFile() || stat?.isSymbolicLink() ? "file" : undefined;
}

/** Where the `.git` of a folder leads; it is a file in a linked work tree and in a submodule. */
function gitDirOf(folder: string): string | undefined {
  const entry = join(folder, ".git");
  if (entryOf(folder) === "folder") return existingPath(entry);
  const [, path] = /^gitdir: (.+)$/.exec(firstLine(entry) ?? "") ?? [];
  return path === undefined ? undefined : existingPath(resolve(folder, path));
}

/** Whether a `.git` file leads to what a commit could have brought: inside a work tree, outside any git folder. */
function isBrought(gitDir: string, root: string): boolean {
  if (entryOf(root) === "folder") return false;
  if (isWithin(gitDir, root)) return true;
  // What is in a git folder is in none of the commits of a repository around that one.
  const nearest = repositoryRoot(dirname(gitDir));
  const own = nearest === undefined ? undefined : gitDirOf(nearest);
  return own !== undefined && !isWithin(gitDir, own);
}

function ancestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}

/** Whether an absolute path is a folder, or something below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function existingPath(path: string): string | undefined {
  return unlessFailing(() => realPath(path));
}

function firstLine(file: string): string | undefined {
  if (look(file)?.isFile() !== true) return undefined;
  return unlessFailing(() => readFileSync(file, "utf8"))
    ?.split("\n", 1)[0]
    ?.trim();
}

// A folder that this user may not read counts as missing.
function look(path: string): Stats | undefined {
  return unlessFailing(() => statSync(path));
}
