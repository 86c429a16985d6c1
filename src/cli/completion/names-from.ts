import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { unlessFailing } from "../../workspace/cache/unless-failing.js";
import { readNames } from "../../workspace/known-names.js";
import { usableCache } from "../options/usable-cache.js";
import type { Terminal } from "../terminal/terminal.js";
import type { NameSource } from "./candidates.js";

/** Takes names from the cache, without a look at the workspace; there are none where the cache cannot be used. */
export function namesFrom(terminal: Pick<Terminal, "cwd" | "env">): NameSource {
  return (of, { workspace = ".", environment = null, isEmulated, usesCache }) => {
    if (!usesCache) return {};
    const directory = resolve(terminal.cwd, fromHome(workspace));
    // A folder that this user may not enter has no names either.
    const cacheFolder = unlessFailing(() => usableCache(directory, terminal));
    if (cacheFolder === undefined) return {};
    const part = of === "state" && isEmulated ? "emulated-state" : of;
    return readNames(part, { directory, environment, cacheFolder });
  };
}

// The line is not expanded, so that a folder is the only thing that a tilde can mean here.
function fromHome(folder: string): string {
  return folder === "~" || folder.startsWith("~/") ? join(homedir(), folder.slice(1)) : folder;
}
