import { addTo } from "../../json/groups.js";
import { once } from "../../json/once.js";
import { readReference } from "../../core/expression/reference.js";
import { bare, say, textOf } from "../../core/finding/said.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { parseIds } from "../../core/resources/parse-ids.js";
import { usedAddress } from "../../core/resources/used.js";
import type { UseElsewhere } from "../../core/plan/users-elsewhere.js";
import { emptyLock, ownerOf, type Lock, type LockEntry, type LockOwner } from "../../core/state/lock.js";
import { neighbourName, findWorkspaces, readNeighbour, type FoundNeighbour } from "./neighbours.js";
import { workspaceKey, type AccessElsewhere } from "./state-elsewhere.js";
import { openFolder } from "../open-workspace.js";
import { summariesOf } from "./documents-elsewhere.js";
import { fileOfIds, folderName, usedEnvironment, usedFolder } from "./uses-graph.js";
import { WorkspaceFolder } from "../workspace-folder.js";

/** Another workspace of the repository, in an environment in which it refers to this one. */
export interface UsingWorkspace {
  /** How messages name it: its folder, and its environment if it is not the default one. */
  readonly where: string;
  /** Its `workspaceKey`; undefined where it has a file, which knows a new ID once somebody writes it. */
  readonly key?: string;
  /** What its lock has of this one: the entries with their references to it. */
  readonly lock: Lock;
  /** By address of this workspace: what its documents or its lock have that refers to it. */
  readonly users: ReadonlyMap<string, readonly UseElsewhere[]>;
  /** Why its lock cannot be read. */
  readonly unread?: string;
  /** Whether its documents can be read, so that `users` has all that they refer to. */
  readonly isWhole: boolean;
}

/** Finds the workspaces that refer to one by its folder or a file of its IDs, without a network. */
export function findUsing(directory: string, owner: LockOwner, access: AccessElsewhere): UsingWorkspace[] {
  const used = folderName(directory);
  const folderAt = once((folder) => openFolder(folder));
  return findWorkspaces(directory, access).found.flatMap((user) => {
    const { folder, environment, settings } = user;
    return Object.entries(settings.uses).flatMap(([name, use]) => {
      if (usedEnvironment(use, environment) !== owner.environment) return [];
      const found = use.workspace === undefined ? undefined : usedFolder(folder, use.workspace);
      const isNamed = found?.ok === true && folderName(found.folder) === used;
      if (!isNamed && !hasIdsOf(owner, folder, fileOfIds(use, environment))) return [];
      const key = isNamed && { key: workspaceKey(folder, environment) };
      return [{ ...usingIn(user, name, { ...access, folderAt }), ...key }];
    });
  });
}

function hasIdsOf({ workspace, environment }: LockOwner, root: string, path: string | undefined): boolean {
  if (path === undefined) return false;
  const folder = new WorkspaceFolder(root);
  const target = folder.resolve(manifestFile, path);
  const read = target.ok ? folder.read(target.file) : target;
  const ids = read.ok ? parseIds(read.text) : undefined;
  return ids?.ok === true && ids.workspace === workspace && ids.environment === environment;
}

function usingIn(
  user: FoundNeighbour,
  name: string,
  access: AccessElsewhere & Parameters<typeof summariesOf>[2],
): UsingWorkspace {
  const { folder, environment, settings } = user;
  const where = neighbourName(user);
  const read = readNeighbour(user, access);
  const entries = read.ok ? entriesUsing(read.lock, name) : {};
  const documents = summariesOf(folder, environment, access);
  const users = new Map<string, UseElsewhere[]>();
  const add = (address: string, text: string, isWritten: boolean): void => {
    const { address: used, operation } = readReference(text);
    const of = usedAddress(used);
    if (of?.use === name) addTo(users, of.address, { address, ...(isWritten && { operation }) });
  };
  const written = new Map(documents?.map(({ address, references }) => [address, new Set(references)]));
  for (const [address, references] of written) for (const text of references) add(address, text, true);
  // What is applied and not written any more keeps nothing there from being applied.
  for (const [address, { references = {} }] of Object.entries(entries)) {
    for (const text of Object.keys(references))
      if (!written.get(address)?.has(text)) add(address, text, documents === undefined);
  }
  const isOnServer = !["file", "git"].includes(settings.lock.store);
  const byHand = isOnServer ? "; once it was applied again, delete the object in the service by hand" : "";
  const unread = !read.ok
    ? textOf(say`the state of ${bare({ source: where })} cannot be read: ${read.why}${byHand}`)
    : read.isUnfetched
      ? `${read.where} of ${where} is not in this clone`
      : undefined;
  return {
    where,
    lock: { ...emptyLock(ownerOf(settings), ""), resources: entries },
    users,
    isWhole: documents !== undefined,
    ...(unread !== undefined && { unread }),
  };
}

// Other entries, and what these refer to elsewhere, are none of this workspace's.
function entriesUsing({ resources }: Lock, name: string): Record<string, LockEntry> {
  const own = (references: LockEntry["references"] = {}) =>
    Object.entries(references).filter(([text]) => usedAddress(readReference(text).address)?.use === name);
  return Object.fromEntries(
    Object.entries(resources).flatMap(([address, { references, attempted = [] }]) => {
      const tried = attempted.map((each) => ({
        body: {},
        references: Object.fromEntries(own(each.references)),
      }));
      const used = own(references);
      if (used.length === 0 && tried.every((each) => Object.keys(each.references).length === 0)) return [];
      const entry = { body: {}, digest: "", references: Object.fromEntries(used), attempted: tried };
      return [[address, entry] as const];
    }),
  );
}
