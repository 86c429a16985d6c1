import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { realFolder } from "../../disk/real-path.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { textOf } from "../../core/finding/said.js";
import { environmentsOf } from "../../core/resources/environment-name.js";
import { gitRef, lockFileName } from "../../core/resources/lock-location.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { buildSettings, declaredEnvironments, type Settings } from "../../core/resources/manifest.js";
import type { Lock, LockOwner } from "../../core/state/lock.js";
import { leftOutNames } from "../../git/listed-names.js";
import { findRepository } from "../../git/repository.js";
import { groupBy } from "../../json/groups.js";
import { once, oncePer } from "../../json/once.js";
import {
  readStateElsewhere,
  refKey,
  remoteOf,
  workspaceKey,
  type AccessElsewhere,
  type StateElsewhere,
} from "./state-elsewhere.js";
import { folderName, manifestIn, workspacesWithin } from "./uses-graph.js";
import { WorkspaceFolder } from "../workspace-folder.js";

const mostManifests = 1000;

// A file of this name may be something else, and may go at any moment.
function mayBeManifest(folder: string): boolean {
  const read = new WorkspaceFolder(folder).read(manifestFile);
  return read.ok ? read.text.includes("agentform/") : read.code !== "file-missing";
}

/** Another workspace of the repository in one of its environments, with its state as this clone has it. */
export interface Neighbour {
  /** Its folder from the top of the repository. */
  readonly workspace: string;
  readonly environment: string | null;
  readonly lock: Lock;
}

/** The other workspaces of a repository, and why there may be more in them than is known. */
export interface Neighbours {
  readonly states: readonly Neighbour[];
  readonly unread: readonly string[];
}

/** How messages name a workspace of the repository in an environment. */
export function neighbourName({ workspace, environment }: Omit<Neighbour, "lock">): string {
  return `${workspace}${environment === null ? "" : ` (${environment})`}`;
}

/** Workspaces of a repository, each in each of its environments, and why there may be more of them. */
export interface FoundNeighbours extends Pick<Neighbours, "unread"> {
  readonly found: readonly FoundNeighbour[];
}

/** A workspace of the repository in one of its environments, by its manifest. */
export interface FoundNeighbour extends Omit<Neighbour, "lock"> {
  /** Its real folder. */
  readonly folder: string;
  readonly settings: Settings;
}

/** Finds the other workspaces of a folder's repository; none outside of one. */
export function findNeighbours(directory: string, access: AccessElsewhere): FoundNeighbours {
  const own = realFolder(directory);
  const { found, unread } = findWorkspaces(directory, access);
  return { found: found.filter(({ folder }) => folder !== own), unread };
}

// By the names of its folders: somebody may bring a workspace while a round is under way.
const foundIn = oncePer((_round: object) =>
  once((names) => {
    const [root = "", ...folders] = names.split("\0");
    return findAmong(root, folders);
  }),
);

/** Finds the workspaces of a folder's repository. */
export function findWorkspaces(directory: string, { round = {} }: AccessElsewhere): FoundNeighbours {
  const root = findRepository(directory)?.root;
  if (root === undefined) return { found: [], unread: [] };
  return foundIn(round)([root, ...workspacesWithin(root).map(realFolder)].join("\0"));
}

function findAmong(root: string, folders: readonly string[]): FoundNeighbours {
  const unread = leftOutNames(root, false)
    .filter((file) => basename(file) === manifestFile)
    .map((file) => `the checkout leaves out ${file}`);
  if (folders.length > mostManifests)
    unread.push(`the repository has more than ${mostManifests} files named ${manifestFile}`);
  const found = folders.slice(0, mostManifests).flatMap((folder) => {
    const manifest = manifestIn(folder);
    const workspace = folderName(folder);
    if (!manifest && mayBeManifest(folder)) unread.push(`the manifest of ${workspace} has errors`);
    if (!manifest) return [];
    return environmentsOf(declaredEnvironments(manifest.value)).flatMap((environment) => {
      const built = buildSettings(manifest, environment, new Map());
      if (built.ok) return [{ workspace, environment, folder, settings: built.settings }];
      unread.push(`the manifest of ${neighbourName({ workspace, environment })} has errors`);
      return [];
    });
  });
  return { found, unread };
}

const manifestsByName = oncePer((_round: object) =>
  once((root) => {
    const read = workspacesWithin(root).map((folder) => ({ folder, value: manifestIn(folder)?.value }));
    return groupBy(read, ({ value }) => value?.metadata.name);
  }),
);

/** Whether an environment of a workspace is of the manifest of a different folder, whatever else is wrong with that. */
export function isOfNeighbour(
  directory: string,
  { workspace, environment }: LockOwner,
  { round = {} }: AccessElsewhere,
): boolean {
  const root = findRepository(directory)?.root;
  const named = root === undefined ? undefined : manifestsByName(round)(root).get(workspace);
  return (named ?? []).some(
    ({ folder, value }) =>
      value &&
      realFolder(folder) !== realFolder(directory) &&
      environmentsOf(declaredEnvironments(value)).includes(environment),
  );
}

/** Gives the remotes on whose refs other workspaces have their states. */
export function remotesOf(found: readonly Pick<FoundNeighbour, "settings">[]): ReadonlySet<string> {
  return new Set(found.flatMap(({ settings: { lock } }) => (lock.store === "git" ? remoteOf(lock) : [])));
}

/** Reads the states of all other workspaces without a network; passes over what needs one or is not fetched. */
export function readNeighbours(
  { found, unread: around }: FoundNeighbours,
  access: AccessElsewhere,
): Neighbours {
  const states: Neighbour[] = [];
  const unread = [...around];
  for (const { folder, settings, ...named } of found) {
    if (!["file", "git"].includes(settings.lock.store)) continue;
    const read = readNeighbour({ folder, settings }, access);
    if (read.ok) states.push({ ...named, lock: read.lock });
    else unread.push(`the state of ${neighbourName(named)} cannot be read: ${textOf(read.why)}`);
  }
  return { states, unread };
}

const statesIn = oncePer(
  (_round: object) => new Map<string, { readonly stamp: string; readonly state: StateElsewhere }>(),
);

/** Reads a workspace's state, once in a round unless its files changed since or a remote gave it. */
export function readNeighbour(
  { folder, settings }: Pick<FoundNeighbour, "folder" | "settings">,
  access: AccessElsewhere,
): StateElsewhere {
  const { lock, environment } = settings;
  const isGiven = lock.store === "git" && access.refs?.has(refKey(remoteOf(lock), gitRef(settings))) === true;
  const states = statesIn(isGiven ? {} : (access.round ?? {}));
  const key = workspaceKey(folder, environment);
  const stamp = stampOf(join(folder, lockFileName(settings)));
  const known = states.get(key);
  if (known?.stamp === stamp) return known.state;
  const applied = access.before?.get(key);
  // What has run in the same command is in no commit.
  const { locksFrom: _commit, ...present } = access;
  const state = readStateElsewhere(folder, settings, applied && !applied.entries ? present : access);
  states.set(key, { stamp, state });
  return state;
}

function stampOf(lockFile: string): string {
  const stats = [lockFile, `${lockFile}.journal`].map((file) => unlessFailing(() => lstatSync(file)));
  return stats.map((stat) => stat && [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join()).join(";");
}

/** Has a state, by its `workspaceKey`, read again in a round that wrote it. */
export function forgetState(round: object, key: string): void {
  statesIn(round).delete(key);
}
