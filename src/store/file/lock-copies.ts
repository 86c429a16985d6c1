import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { realFolder } from "../../disk/real-path.js";
import type { OtherState } from "../../core/state/lock-store.js";
import { refuseLinks } from "../../disk/refuse-links.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { findRepository, repositoryFolder, workTreesBeside } from "../../git/repository.js";
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

/**
 * Reads copies of locks of a name that have some text, and whose places have no lock any more: a state may have gone on
 * there. Those of a work tree whose folder is gone are among them.
 */
export function copiesOfGone(directory: string, lockName: string, mark: () => string): OtherState[] {
  const here = placesAround(directory);
  if (here === undefined) return [];
  const own = repositoryFolder(directory) + lockName;
  const gone = placesBeside(directory).filter(({ root }) => root !== undefined && !existsSync(root));
  const files = [here, ...gone].flatMap(({ folder, root = "" }) =>
    placesIn(folder, lockName).map((place) => ({ folder, root, place })),
  );
  return files.flatMap(({ folder, root, place }) => {
    const isBeside = folder !== here.folder;
    if ((!isBeside && place === own) || existsSync(join(root, place))) return [];
    const copy = join(folder, place);
    const lock = readCopy(copy);
    const left = isBeside ? pathFrom(directory, dirname(join(root, place))) : dirname(place);
    const where = `the last write of this machine in ${left}`;
    if (typeof lock !== "string" || !lock.includes(mark())) return [];
    const journal = journalIn(root, place);
    const state = { lock, where, copyName: pathFrom(directory, copy) };
    // A journal may not go on from this copy, which counts without it then.
    return [null, ...(journal === null ? [] : [journal])].map((text) => ({ ...state, journal: text }));
  });
}

/**
 * Reads what this machine wrote last of a lock in the other work trees of the repository, also where its folder has moved
 * there, and with the journals that were left.
 */
export function copiesBeside(directory: string, lockName: string, mark: string | undefined): OtherState[] {
  const own = repositoryFolder(directory) + lockName;
  return placesBeside(directory).flatMap(({ folder, root }) => {
    const where = `the work tree ${root === undefined ? "of the clone itself" : pathFrom(directory, root)}`;
    // Before a first apply has ended, there is no copy.
    return [...new Set([own, ...placesIn(folder, lockName)])].flatMap((place) => {
      const lock = readCopy(join(folder, place)) ?? null;
      if (place !== own && (mark === undefined || lock?.includes(mark) !== true)) return [];
      const journal = root === undefined ? null : journalIn(root, place);
      return [
        ...(lock === null ? [] : [{ lock, journal: null, where }]),
        ...(journal === null ? [] : [{ lock, journal, where: `the journal of ${where}` }]),
      ];
    });
  });
}

/** Finds the copies of locks of a name in a folder of copies, as paths from the top of the work tree. */
function placesIn(folder: string, lockName: string): string[] {
  const names = unlessFailing(() => readdirSync(folder, recursively)) ?? [];
  return names
    .filter((name) => basename(name) === lockName)
    .toSorted()
    .map((name) => name.split(sep).join("/"));
}

function readCopy(file: string): string | null | undefined {
  return unlessFailing(() => new LockFile(file, "the copy of the lock").read().lock);
}

function placesBeside(directory: string): { readonly folder: string; readonly root?: string }[] {
  const repository = findRepository(directory);
  const trees = repository === undefined ? [] : workTreesBeside(repository);
  return trees.map(({ gitDir, ...tree }) => ({ ...tree, folder: join(gitDir, "agentform", "files") }));
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
