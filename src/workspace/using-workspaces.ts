import { realpathSync } from "node:fs";
import { addTo } from "../json/groups.js";
import { readReference } from "../core/expression/reference.js";
import { bare, say, textOf } from "../core/finding/said.js";
import { environmentsOf } from "../core/resources/environment-name.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import { buildSettings, declaredEnvironments, type Manifest } from "../core/resources/manifest.js";
import { parseIds } from "../core/resources/parse-ids.js";
import { usedAddress } from "../core/resources/used.js";
import { emptyLock, type Lock, type LockEntry, type LockOwner } from "../core/state/lock.js";
import { manifestsAround, neighbourName } from "./neighbours.js";
import { readStateElsewhere, workspaceKey, type AccessElsewhere } from "./state-elsewhere.js";
import { summariesOf } from "./used-documents.js";
import { fileOfIds, folderName, usedEnvironment, usesIn } from "./uses-graph.js";
import { WorkspaceFolder } from "./workspace-folder.js";

/** Another workspace of the repository, in an environment in which it refers to this one. */
export interface UsingWorkspace {
  /** How messages name it: its folder, and its environment if it is not the default one. */
  readonly where: string;
  /** Its `workspaceKey`; undefined where it has a file, which knows a new ID once somebody writes it. */
  readonly key?: string;
  /** What its lock has of this one: the entries with their references to it. */
  readonly lock: Lock;
  /** By address of this workspace: what its documents or its lock have that refers to it. */
  readonly users: ReadonlyMap<string, readonly string[]>;
  /** Why its lock cannot be read. */
  readonly unread?: string;
  /** Whether its documents can be read, so that `users` has all that they refer to. */
  readonly isWhole: boolean;
}

/**
 * Finds the workspaces of the repository that refer to one, by their manifests and without a network: those that name
 * its folder, and those that name a file with its IDs.
 */
export function findUsing(directory: string, owner: LockOwner, access: AccessElsewhere): UsingWorkspace[] {
  return manifestsAround(directory).manifests.flatMap(({ folder, manifest }) => {
    const named = usesIn(folder, manifest)
      .filter((each) => folderName(each.folder) === folderName(directory))
      .map(({ name }) => name);
    return Object.entries(manifest.value.spec.uses ?? {}).flatMap(([name, use]) =>
      environmentsOf(declaredEnvironments(manifest.value)).flatMap((own) => {
        if (usedEnvironment(use, own) !== owner.environment) return [];
        const isNamed = named.includes(name);
        if (!isNamed && !hasIdsOf(owner, folder, fileOfIds(use, own))) return [];
        const using = usingIn(folder, name, manifest, own, access);
        return using ? [{ ...using, ...(isNamed && { key: workspaceKey(realpathSync(folder), own) }) }] : [];
      }),
    );
  });
}

function hasIdsOf({ workspace, environment }: LockOwner, root: string, path: string | undefined): boolean {
  if (path === undefined) return false;
  const folder = new WorkspaceFolder(root);
  const target = folder.resolve(manifestFile, path);
  const read = target.ok ? folder.read(target.file) : target;
  const ids = read.ok ? parseIds(read.text) : undefined;
  return (
    ids !== undefined && !("wrong" in ids) && ids.workspace === workspace && ids.environment === environment
  );
}

function usingIn(
  folder: string,
  name: string,
  manifest: Manifest,
  environment: string | null,
  access: AccessElsewhere,
): UsingWorkspace | undefined {
  const built = buildSettings(manifest, environment, new Map());
  if (!built.ok) return undefined;
  const { settings } = built;
  const where = neighbourName({ workspace: folderName(folder), environment });
  const read = readStateElsewhere(folder, settings, access);
  const entries = "why" in read ? {} : entriesUsing(read.lock, name);
  const documents = summariesOf(folder, environment, access);
  const users = new Map<string, string[]>();
  const applied = Object.entries(entries).map(([address, { references = {} }]) => {
    return { address, references: Object.keys(references) };
  });
  for (const { address, references = [] } of [...applied, ...(documents ?? [])]) {
    for (const text of references) {
      const of = usedAddress(readReference(text).address);
      if (of?.use === name && !users.get(of.address)?.includes(address)) addTo(users, of.address, address);
    }
  }
  const unread =
    "why" in read
      ? textOf(say`the state of ${bare({ source: where })} cannot be read: ${read.why}`)
      : read.isUnfetched
        ? `${read.where} of ${where} is not in this clone`
        : undefined;
  return {
    where,
    lock: { ...emptyLock({ workspace: settings.name, environment }, ""), resources: entries },
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
