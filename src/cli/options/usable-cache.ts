import { platform } from "node:process";
import { repositoryRoot } from "../../git/repository.js";
import { cacheFolder, isUsable } from "../../workspace/cache/cache-folder.js";
import type { Terminal } from "../terminal/terminal.js";

/** Gives the user's cache folder for a workspace; undefined where there is none, or a pull request could have brought it as any file of the repository. */
export function usableCache(directory: string, { env }: Pick<Terminal, "env">): string | undefined {
  const folder = cacheFolder(env, platform, platform === "win32" ? env.USERPROFILE : env.HOME);
  if (folder === undefined) return undefined;
  return isUsable(folder, repositoryRoot(directory) ?? directory) ? folder : undefined;
}
