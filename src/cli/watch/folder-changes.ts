import { readdirSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ignoredNames } from "../../git/ignored-names.js";
import { localFolder } from "../../store/file/tracked-state.js";

// There the system reports the changes below a folder itself; elsewhere each folder is watched.
const watchesBelow = process.platform === "darwin" || process.platform === "win32";
// Editors write a file in several steps, and git many files.
const settling = 100;
const never = new Set([".git", "node_modules"]);

/** Notices that files of a workspace change, except those that git ignores; the emulator's lock is one of them. */
export class FolderChanges {
  readonly #watchers = new Map<string, FSWatcher>();
  #notice: () => void = () => {};
  #changed: Promise<void> = Promise.resolve();

  /** Takes the folder of the workspace, and the folders of files that a command reads in addition. */
  constructor(
    private readonly directory: string,
    private readonly others: readonly string[],
  ) {}

  /**
   * Starts to wait for the next change. What changed before is for the caller to read now.
   * @throws an error of the system if it cannot watch so many folders
   */
  start(): void {
    this.#changed = new Promise((resolve) => (this.#notice = resolve));
    const folders = new Set([...foldersBelow(this.directory), ...this.others]);
    for (const folder of this.#watchers.keys()) if (!folders.has(folder)) this.#forget(folder);
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder);
  }

  /** Ends the wait, as if something had changed. */
  notice(): void {
    this.#notice();
  }

  /** Resolves after a change, when the files have had time to settle. */
  async next(): Promise<void> {
    await this.#changed;
    await setTimeout(settling);
  }

  close(): void {
    for (const folder of this.#watchers.keys()) this.#forget(folder);
  }

  #watch(folder: string): void {
    const watcher = watch(folder, { recursive: watchesBelow }, (_, file) => {
      if (file === null || !never.has(file.split(/[\\/]/, 1)[0] ?? "")) this.#notice();
    });
    // A folder that is gone is a change; whether it is missed is for the plan to say.
    watcher.on("error", () => {
      this.#forget(folder);
      this.#notice();
    });
    this.#watchers.set(folder, watcher);
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}

function foldersBelow(directory: string): string[] {
  if (watchesBelow) return [directory];
  const ignored = ignoredNames(directory);
  const found: string[] = [];
  const walk = (name: string) => {
    found.push(join(directory, name));
    for (const entry of entriesOf(join(directory, name))) {
      const below = name === "" ? entry.name : `${name}/${entry.name}`;
      if (!entry.isDirectory() || never.has(entry.name)) continue;
      if (!ignored.has(below) || isEmulated(below)) walk(below);
    }
  };
  walk("");
  return found;
}

function isEmulated(folder: string): boolean {
  return folder === localFolder || folder.startsWith(`${localFolder}/emulator`);
}

// A folder may be gone by the time that it is looked into.
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
