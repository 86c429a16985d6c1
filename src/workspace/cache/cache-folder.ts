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
    if (found && !(found.isDirectory() && isPrivate(found))) return false;
    return !isWithin(folder, statSync(workspace, { bigint: true }));
  } catch {
    return false;
  }
}

function isPrivate({ uid, mode }: BigIntStats): boolean {
  // Windows has neither; there the folder inherits the rights of the user's own.
  if (process.getuid === undefined) return true;
  return uid === BigInt(process.getuid()) && (mode & 0o022n) === 0n;
}

// By device and number, for the same folder can be spelled in many ways: links, upper and lower case, mounts.
function isWithin(folder: string, outer: BigIntStats): boolean {
  for (let path = nearestReal(folder); ; path = dirname(path)) {
    const { dev, ino } = statSync(path, { bigint: true });
    if (dev === outer.dev && ino === outer.ino) return true;
    if (path === dirname(path)) return false;
  }
}

function nearestReal(folder: string): string {
  for (let path = folder; ; path = dirname(path)) {
    if (statSync(path, { throwIfNoEntry: false })) return realpathSync(path);
    if (path === dirname(path)) return path;
  }
}
