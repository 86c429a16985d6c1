import { existsSync, lstatSync, statSync } from "node:fs";
import { dirname, posix, win32 } from "node:path";
import { platform } from "node:process";
import { realPath } from "../../disk/real-path.js";
import { repositoryRoot } from "../../git/repository.js";

/** Gives the user's cache folder for a workspace; undefined where there is none, or a pull request could have brought it as any file of the repository. */
export function usableCache(directory: string, env: NodeJS.ProcessEnv): string | undefined {
  const folder = cacheFolder(env, platform, env[platform === "win32" ? "USERPROFILE" : "HOME"]);
  return folder && isUsable(folder, repositoryRoot(directory) ?? directory) ? folder : undefined;
}

/** Gives the absolute path of the user's cache folder for agentform, whether it exists or not; undefined where there is no home. */
export function cacheFolder(env: NodeJS.ProcessEnv, on: NodeJS.Platform, home?: string): string | undefined {
  const { isAbsolute, join } = on === "win32" ? win32 : posix;
  const places: [root: string | undefined, folder: string][] = [[env["XDG_CACHE_HOME"], "agentform"]];
  if (on === "win32") places.push([env["LOCALAPPDATA"], "agentform/cache"]);
  const inHome = { win32: "AppData/Local/agentform/cache", darwin: "Library/Caches/agentform" };
  places.push([home, on === "win32" || on === "darwin" ? inHome[on] : ".cache/agentform"]);
  for (const [root, names] of places) if (root && isAbsolute(root)) return join(root, names);
  return undefined;
}

/** Whether a cache folder, which need not exist, lies outside a folder with other people's work and, if it exists, belongs to this user and can be written to by nobody else. */
export function isUsable(folder: string, workspace: string): boolean {
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    // Windows has no users' numbers; there the folder inherits the rights of the user's own.
    const user = process.getuid?.();
    const isPrivate = user === undefined || (found?.uid === user && (found.mode & 0o022) === 0);
    if (found && !(found.isDirectory() && isPrivate)) return false;
    // A link of somebody else could lead to any folder of this user's.
    const own = lstatSync(folder, { throwIfNoEntry: false });
    if (own && user !== undefined && own.uid !== user) return false;
    const outer = idOf(workspace);
    let path = folder;
    while (!existsSync(path)) path = dirname(path);
    for (path = realPath(path); idOf(path) !== outer; path = dirname(path)) {
      if (path === dirname(path)) return true;
    }
    return false;
  } catch {
    return false;
  }
}

// The same folder can be spelled in many ways: links, upper and lower case, mounts.
function idOf(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  return `${dev} ${ino}`;
}
