import { readdirSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../disk/error-code.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { ignoredNames } from "../../git/listed-names.js";
import { localFolder } from "../../store/file/own-files.js";

// There the system reports the changes below a folder itself; elsewhere each folder is watched.
const watchesBelow = process.platform === "darwin" || process.platform === "win32";
const never = new Set([".git", "node_modules"]);

/** A wait for a change. */
export interface FolderWatch {
  /** Resolves after the first change. */
  readonly changed: Promise<undefined>;
  close(): void;
}

/** Waits for a change of workspaces or `others`, not of what git ignores; throws the system's error for too many. */
export function watchFolders(directories: readonly string[], others: readonly string[]): FolderWatch {
  let notice = (): void => {};
  const changed = new Promise<undefined>((resolve) => (notice = () => resolve(undefined)));
  const watchers: FSWatcher[] = [];
  const close = () => {
    for (const watcher of watchers) watcher.close();
  };
  const add = (folder: string) => {
    const watcher = watch(folder, { recursive: watchesBelow }, (_, file) => {
      if (file === null || !never.has(file.split(/[\\/]/, 1)[0] ?? "")) notice();
    });
    // A folder that is gone is a change; whether it is missed is for the plan to say.
    watchers.push(watcher.on("error", notice));
  };
  try {
    for (const folder of others) add(folder);
    for (const folder of foldersBelow(directories)) {
      try {
        add(folder);
      } catch (cause) {
        // Of one that was found and is gone by now, the folder that it was in tells.
        if (directories.includes(folder) || !/^(ENOENT|ENOTDIR)$/.test(errorCode(cause))) throw cause;
      }
    }
  } catch (cause) {
    close();
    throw cause;
  }
  return { changed, close };
}

// A folder is looked into after it was handed out, so what is made in it meanwhile is noticed or found.
function* foldersBelow(directories: readonly string[]): Generator<string> {
  for (const directory of directories) {
    yield directory;
    if (!watchesBelow) yield* foldersIn(directory, "", ignoredNames(directory));
  }
}

function* foldersIn(directory: string, name: string, ignored: ReadonlySet<string>): Generator<string> {
  // A folder may be gone by the time that it is looked into.
  const entries = unlessFailing(() => readdirSync(join(directory, name), { withFileTypes: true }));
  for (const entry of entries ?? []) {
    const below = name === "" ? entry.name : `${name}/${entry.name}`;
    if (!entry.isDirectory() || never.has(entry.name)) continue;
    if (ignored.has(below) && !isEmulated(below)) continue;
    yield join(directory, below);
    yield* foldersIn(directory, below, ignored);
  }
}

function isEmulated(folder: string): boolean {
  return folder === localFolder || folder.startsWith(`${localFolder}/emulator`);
}
