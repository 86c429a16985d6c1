import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { realFolder } from "../../disk/real-path.js";
import type { OtherState } from "../../core/state/lock-store.js";
import { refuseLinks } from "../../disk/refuse-links.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { findRepository, repositoryFolder } from "../../git/repository.js";
import { LockFile } from "../local/lock-file.js";
import { readText } from "../local/read-text.js";
import { localFolder } from "./own-files.js";

/** A file with what this machine wrote last. */
export interface LockCopy {
  /** Absolute. */
  readonly file: string;
  /** Its path from the folder of the workspace. */
  readonly name: string;
  /** Whether it is in git's own folder, where no commit can put a file. */
  readonly isInGit: boolean;
}

/**
 * Gives the copy of a lock in files. It has the lock's path from the top of the work tree, in git's own folder, where
 * it outlasts the workspace's folder when a checkout takes that away; outside of git it is in the local folder.
 */
export function copyOf(directory: string, lockName: string, environment: string): LockCopy {
  const { folder } = placesAround(directory) ?? {};
  const local = `${localFolder}/${environment}.lock`;
  if (folder === undefined) return { file: join(directory, local), name: local, isInGit: false };
  const file = join(folder, repositoryFolder(directory), lockName);
  return { file, name: pathFrom(directory, file), isInGit: true };
}

/** Reads copies of locks of a name that have some text, and whose places have no lock any more: a state may have gone on there. */
export function copiesOfGone(directory: string, lockName: string, mark: () => string): OtherState[] {
  const { folder = "", root = "" } = placesAround(directory) ?? {};
  const own = repositoryFolder(directory) + lockName;
  const names = folder === "" ? [] : (unlessFailing(() => readdirSync(folder, recursively)) ?? []);
  return names.toSorted().flatMap((name) => {
    const place = name.split(sep).join("/");
    if (basename(place) !== lockName || place === own || existsSync(join(root, place))) return [];
    const copy = join(folder, name);
    const lock = unlessFailing(() => new LockFile(copy, "the copy of the lock").read().lock);
    const where = `the last write of this machine in ${dirname(place)}`;
    if (typeof lock !== "string" || !lock.includes(mark())) return [];
    const journal = journalIn(root, place);
    const state = { lock, where, copyName: pathFrom(directory, copy) };
    // A journal may not go on from this copy, which counts without it then.
    return [null, ...(journal === null ? [] : [journal])].map((text) => ({ ...state, journal: text }));
  });
}

// A linked work tree has a folder of its own.
function placesAround(directory: string): { readonly folder: string; readonly root: string } | undefined {
  const repository = findRepository(directory);
  return repository && { folder: join(repository.gitDir, "agentform", "files"), root: repository.root };
}

/** Gives the path of a file from a folder, as messages name it. */
export function pathFrom(directory: string, file: string): string {
  return relative(realFolder(directory), file).split(sep).join("/");
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
