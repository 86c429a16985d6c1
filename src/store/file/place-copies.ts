import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { realFolder } from "../../disk/real-path.js";
import type { OtherState } from "../../core/state/lock-store.js";
import { refuseLinks } from "../../disk/refuse-links.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { findRepository, repositoryFolder } from "../../git/repository.js";
import { LockFile } from "../local/lock-file.js";
import { readText } from "../local/read-text.js";
import { MachineMemory } from "../local/machine-memory.js";

/**
 * Copies of the locks in files that this machine wrote in a work tree, each by its path from the top. They are
 * in git's own folder, where they outlast the workspace's folder when a checkout takes that away.
 */
export class PlaceCopies {
  constructor(
    private readonly directory: string,
    private readonly lockName: string,
  ) {}

  /** Keeps a copy of the lock, which an apply goes on from, or which this process has just written. */
  keep(lock: string): void {
    const { folder, own } = this.#find() ?? {};
    if (folder === undefined || own === undefined) return;
    const copy = join(folder, own);
    const memory = new MachineMemory(copy, this.#nameOf(copy));
    if (unlessFailing(() => memory.written().lock) !== lock) memory.keep(lock);
  }

  /**
   * Reads the copies of this environment with some text whose places have no lock any more, for the state may have gone
   * on there; and that of the own place, unless the folder has its own copy of what was written.
   */
  ofGonePlaces(mark: () => string, hasOwnCopy: boolean): OtherState[] {
    const { folder = "", root = "", own } = this.#find() ?? {};
    const names = own === undefined ? [] : (unlessFailing(() => readdirSync(folder, recursively)) ?? []);
    return names.toSorted().flatMap((name) => {
      const place = name.split(sep).join("/");
      if (basename(place) !== this.lockName) return [];
      if (place === own ? hasOwnCopy : existsSync(join(root, place))) return [];
      const copy = join(folder, name);
      const lock = unlessFailing(() => new LockFile(copy, "the copy of the lock").read().lock);
      const where = `the last write of this machine in ${dirname(place)}`;
      if (typeof lock !== "string" || !lock.includes(mark())) return [];
      const journal = journalIn(root, place);
      const state = { lock, where, copyName: this.#nameOf(copy) };
      // A journal may not go on from this copy, which counts without it then.
      return [null, ...(journal === null ? [] : [journal])].map((text) => ({ ...state, journal: text }));
    });
  }

  #nameOf(copy: string): string {
    return relative(realFolder(this.directory), copy).split(sep).join("/");
  }

  #find(): { readonly folder: string; readonly root: string; readonly own: string } | undefined {
    const repository = findRepository(this.directory);
    if (!repository) return undefined;
    const { root, gitDir } = repository;
    const own = `${repositoryFolder(this.directory)}${this.lockName}`;
    return { folder: join(gitDir, "agentform", "files"), root, own };
  }
}

const recursively = { recursive: true, encoding: "utf8" } as const;

// An apply may have died there, before the folder went.
function journalIn(root: string, place: string): string | null {
  const file = join(root, `${place}.journal`);
  const read = unlessFailing(() => {
    refuseLinks(file, [root]);
    return readText(file, place);
  });
  return read ?? null;
}
