import { existsSync, lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { realFolder } from "../../disk/real-path.js";
import { lockFileName } from "../../core/resources/lock-location.js";
import { readStanding } from "../../core/state/lock-left-behind.js";
import type { Lock, LockOwner } from "../../core/state/lock.js";
import { isContained } from "../../core/state/newest-lock.js";
import { once, oncePer } from "../../json/once.js";
import { filesNamed } from "../../git/listed-names.js";
import { findRepository } from "../../git/repository.js";
import type { FoundNeighbours, Neighbour, Neighbours } from "./neighbours.js";
import type { AccessElsewhere } from "./state-elsewhere.js";
import { folderName } from "./uses-graph.js";
import { WorkspaceFolder } from "../workspace-folder.js";

/** Reads lock files that no manifest leads to: their objects are still in the service; not of backups. */
export function readLocksWithoutManifest(
  directory: string,
  { found }: FoundNeighbours,
  { round = {} }: AccessElsewhere,
): Neighbours {
  const root = findRepository(directory)?.root;
  if (root === undefined) return { states: [], unread: [] };
  const known = new Set(found.map(({ folder, settings }) => join(folder, lockFileName(settings))));
  const inUse: Lock[] = [];
  const states: Neighbour[] = [];
  const unread: string[] = [];
  const own = realFolder(directory);
  for (const { file, folder, read } of lockFilesIn(round)([root, ...lockNames(root)].join("\0"))) {
    const isInUse = known.has(join(root, file)) || folder === own;
    if (!read.ok && !isInUse) unread.push(`${file} cannot be read`);
    if (!read.ok) continue;
    const { lock, environment } = read;
    if (isInUse) inUse.push(lock);
    else states.push({ lock, environment, workspace: folderName(folder) });
  }
  const isEarlier = ({ lock }: Neighbour) => inUse.some((each) => isContained(lock, each));
  return { states: states.filter((state) => !isEarlier(state)), unread };
}

/** Finds the lock files of a repository that are beside no manifest: one may have moved away without its own. */
export function findLocksOfMoved(
  directory: string,
): { readonly file: string; readonly lock: Lock; readonly owner: LockOwner }[] {
  const root = findRepository(directory)?.root;
  if (root === undefined) return [];
  const left = [...lockNames(root)].filter(
    (file) => !existsSync(join(root, dirname(file), "agentform.yaml")),
  );
  return lockFilesIn({})([root, ...left].join("\0")).flatMap(({ file, read }) =>
    read.ok ? [{ file, lock: read.lock, owner: read.lock }] : [],
  );
}

// Of a first apply that has died there is the journal alone.
function lockNames(root: string): ReadonlySet<string> {
  const names = filesNamed(root, "agentform*.lock", "agentform*.lock.journal");
  return new Set(names.map((name) => name.replace(/\.journal$/, "")));
}

const lockFilesIn = oncePer((_round: object) =>
  once((names) => {
    const [root = "", ...files] = names.split("\0");
    return files.flatMap((file) => {
      const folder = realFolder(dirname(join(root, file)));
      if (!existsSync(folder) || file.split("/").includes(".agentform")) return [];
      const read = readLockFile(folder, basename(file), file);
      return read ? [{ file, folder, read }] : [];
    });
  }),
);

// Reads a file with a lock by the owner that its text names; nothing if it is none, or its state has moved.
function readLockFile(
  folder: string,
  name: string,
  lockName: string,
): ({ readonly ok: true } & Omit<Neighbour, "workspace">) | { readonly ok: false } | undefined {
  const [read, ofJournal] = ["", ".journal"].map((end) =>
    new WorkspaceFolder(folder).readOwn(`${name}${end}`),
  );
  const isBegun = read?.ok === false && read.code === "file-missing" && ofJournal?.ok === true;
  // A folder or a link has nothing of its own.
  if (!read?.ok && !isBegun) return isFile(join(folder, name)) ? { ok: false } : undefined;
  const lock = read?.ok ? read.text : null;
  const journal = ofJournal?.ok ? ofJournal.text : null;
  // A file of this name may be something else.
  if (!/agentform\/(?:lock|journal)\//.test(lock ?? journal ?? "")) return undefined;
  const found = { where: lockName, store: "file", discard: "" };
  const [standing] = readStanding({ ...found, lock, journal }, { workspace: "", environment: null });
  if (!standing) return { ok: false };
  const { lock: state, owner } = standing;
  return state && { ok: true, lock: state, environment: owner.environment };
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
