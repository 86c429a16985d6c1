import { realpathSync, statSync, type BigIntStats } from "node:fs";
import { dirname, posix, win32 } from "node:path";

/** Environment variables as `process.env` has them. */
type CacheVariables = Readonly<Record<string, string | undefined>>;

/** Gives the absolute path of the user's cache folder for agentform, whether it exists or not; undefined where there is no home. */
export function cacheFolder(
  env: CacheVariables,
  platform: NodeJS.Platform,
  homedir: string | undefined,
): string | undefined {
  const path = platform === "win32" ? win32 : posix;
  const below = (folder: string | undefined, ...names: string[]): string | undefined =>
    folder && path.isAbsolute(folder) ? path.join(folder, ...names) : undefined;
  const chosen = below(env["XDG_CACHE_HOME"], "agentform");
  if (chosen !== undefined) return chosen;
  if (platform === "darwin") return below(homedir, "Library", "Caches", "agentform");
  if (platform !== "win32") return below(homedir, ".cache", "agentform");
  return (
    below(env["LOCALAPPDATA"], "agentform", "cache") ??
    below(homedir, "AppData", "Local", "agentform", "cache")
  );
}

/** Whether a cache folder, which need not exist, lies outside a folder with other people's work and, if it exists, belongs to this user and can be written to by nobody else. */
export function isUsable(folder: string, workspace: string): boolean {
  try {
    const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
    // Windows has no users' numbers; there the folder inherits the rights of the user's own.
    const user = process.getuid && BigInt(process.getuid());
    const isPrivate = user === undefined || (found?.uid === user && (found.mode & 0o022n) === 0n);
    if (found && !(found.isDirectory() && isPrivate)) return false;
    return !isWithin(folder, statSync(workspace, { bigint: true }));
  } catch {
    return false;
  }
}

// By device and number, for the same folder can be spelled in many ways: links, upper and lower case, mounts.
function isWithin(folder: string, outer: BigIntStats): boolean {
  let path = folder;
  while (!statSync(path, { throwIfNoEntry: false })) path = dirname(path);
  for (path = realpathSync(path); ; path = dirname(path)) {
    const { dev, ino } = statSync(path, { bigint: true });
    if (dev === outer.dev && ino === outer.ino) return true;
    if (path === dirname(path)) return false;
  }
}
