import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { platform } from "node:process";
import { realPath } from "../../disk/real-path.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { repositoryRoot } from "../../git/repository.js";
import { isOwnWorkspace, misnamedManifest } from "../../workspace/near-manifest.js";
import type { Terminal } from "../terminal/terminal.js";

/** The folder of a workspace. */
export interface WorkspaceDirectory {
  readonly directory: string;
  /** How a folder above was found, or why it is not used; undefined for the folder that was named or is stood in. */
  readonly said?: string;
}

/** Gives the folder of `-C`, else the nearest with a manifest up to the repository's top, or the home folder. */
export function workspaceDirectory(
  given: string | undefined,
  { cwd, env }: Pick<Terminal, "cwd" | "env">,
): WorkspaceDirectory {
  const here = resolve(cwd, given ?? ".");
  if (given !== undefined || hasManifest(here) || !existsSync(here)) return { directory: here };
  const real = realPath(here);
  const found = foldersAbove(real, topOf(real, env)).find(hasManifest);
  if (found === undefined) return { directory: here };
  const path = relative(real, found);
  if (!isOwnWorkspace(found, real)) {
    const said = `the workspace ${path} belongs to a different user, so it is not used; if you trust it, name it with \`-C ${path}\``;
    return { directory: here, said };
  }
  return { directory: found, said: `the workspace is ${path}, and its files are named from there` };
}

function hasManifest(folder: string): boolean {
  return existsSync(join(folder, manifestFile)) || misnamedManifest(folder) !== undefined;
}

function topOf(folder: string, env: NodeJS.ProcessEnv): string | undefined {
  const root = repositoryRoot(folder);
  if (root !== undefined) return root;
  const home = platform === "win32" ? env.USERPROFILE : env.HOME;
  return home !== undefined && isAbsolute(home) && existsSync(home) ? realPath(home) : undefined;
}

function foldersAbove(folder: string, top: string | undefined): string[] {
  const above = dirname(folder);
  return folder === top || above === folder ? [] : [above, ...foldersAbove(above, top)];
}
