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
    // A folder may be gone, and another be there by its name, which the watch of the first says nothing of.
    if (!watchesBelow) this.close();
    for (const folder of this.others) this.#watch(folder);
    for (const folder of foldersBelow(this.directory)) {
      try {
        this.#watch(folder);
      } catch (cause) {
        // Of one that was found and is gone by now, the folder that it was in tells.
        if (folder === this.directory || !isGone(cause)) throw cause;
      }
    }
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
    if (this.#watchers.has(folder)) return;
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

// A folder is looked into after it was handed out, so what is made in it meanwhile is noticed or found.
function* foldersBelow(directory: string): Generator<string> {
  yield directory;
  if (!watchesBelow) yield* foldersIn(directory, "", ignoredNames(directory));
}

function* foldersIn(directory: string, name: string, ignored: ReadonlySet<string>): Generator<string> {
  for (const entry of entriesOf(join(directory, name))) {
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

// A folder may be gone by the time that it is looked into.
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isGone(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR");
}
