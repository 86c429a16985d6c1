import { refused, type Checked } from "../../core/finding/checked.js";
import { cause } from "../../core/plan/cause.js";
import { findUsesInDocuments, type OutsideUsers } from "../../core/plan/object-uses.js";
import { objectKey, type ElsewhereName, type PromisedElsewhere } from "../../core/import/importing.js";
import { adoptedIds } from "../../core/import/new-objects.js";
import { once } from "../../json/once.js";
import type { Fleet } from "../../core/resources/fleet.js";
import { environmentName, environmentsOf } from "../../core/resources/environment-name.js";
import type { Settings } from "../../core/resources/manifest.js";
import { IdSearch, isPartOfTexts } from "../../core/kind/id-search.js";
import { type Lock, type LockEntry, type LockService, ownerOf } from "../../core/state/lock.js";
import { locksApart, type OtherLock } from "../../core/state/newest-lock.js";
import { findUsers, type ServiceObject } from "../../core/state/object-users.js";
import { stateOptions } from "../../core/state/state-choice.js";
import { sharesHost, sharesService } from "../../core/state/service-identity.js";
import { identityOf } from "../../service/target.js";
import { readOthers } from "./newest-state.js";
import { readOtherEnvironments } from "./other-environments.js";
import { locationOf, type PlanRequest } from "../request.js";
import { readNewestNeighbours } from "./newest-neighbours.js";
import { openFolder } from "../../workspace/open-workspace.js";
import { resourcesElsewhere } from "../../workspace/others/documents-elsewhere.js";
import { findNeighbours, neighbourName, readNeighbour } from "../../workspace/others/neighbours.js";
import type { AccessElsewhere } from "../../workspace/others/state-elsewhere.js";
import { findUsing } from "../../workspace/others/using-workspaces.js";
import { settingsIn } from "../../workspace/others/uses-graph.js";
import { realFolder } from "../../disk/real-path.js";
import { openStore } from "../../store/open-store.js";

/** Finds what outside of this lock may use objects; gives findings if a lock of the workspace's own cannot be read. */
export async function readOutsideUsers(
  fleet: Fleet,
  lock: Lock,
  service: LockService,
  objects: readonly ServiceObject[],
  request: PlanRequest,
): Promise<Checked<{ readonly outside: OutsideUsers }>> {
  const documents = findUsesInDocuments(fleet, lock, objects);
  if (request.options?.emulator) return { ok: true, outside: documents };
  const others = await readOtherEnvironments(fleet.settings, request);
  if (others.problems.length > 0) return refused(others.problems);
  const environments = others.environments.map(({ lock: other, lockName }) =>
    elsewhere(other, lockName, service),
  );
  const branches = await readBranches(fleet, lock, request);
  const { neighbours, access } = await readNewestNeighbours(request);
  const around = neighbours.states.map((state) => elsewhere(state.lock, neighbourName(state), service));
  const unread = [...others.unread, ...neighbours.unread];
  const unreadAround = unread.length > 0 ? [cause("users-unread", { reasons: unread })] : [];
  const withUsers = <Known extends { readonly lock: Lock }>({ lock: other, ...known }: Known) => {
    return { ...known, usersOf: findUsers(other, objects) };
  };
  const locks = [...environments, ...branches, ...around].map(withUsers);
  const documentsAround = findUsesAround(fleet.settings, service, objects, request, access);
  const ofOthers = findUsing(request.directory, ownerOf(fleet.settings), access).map(withUsers);
  const all: OutsideUsers = (object) => [
    ...documents(object),
    ...unreadAround,
    ...documentsAround.flatMap((usesOf) => usesOf(object)),
    ...ofOthers.flatMap(({ usersOf, where, unread, users, isWhole }) => {
      if (unread === undefined)
        return usersOf(object).map((user) => cause("used-elsewhere", { user, where }));
      // What its documents do not refer to now, it may have been sent before; but no longer than its next apply.
      return isWhole && !users.has(object.address) ? [] : [cause("users-unread", { reasons: [unread] })];
    }),
    ...locks.flatMap(({ usersOf, where, isElsewhere }) => {
      if (isElsewhere && !isUnique(object.id)) return [];
      // An address there is that of another object.
      const users = usersOf(object).filter(({ use }) => use !== "retired-may-refer");
      return users.map((user) => cause("used-elsewhere", { user, where }));
    }),
  ];
  // Who uses this workspace is one of its neighbours, too.
  const outside: OutsideUsers = (object) => [
    ...new Map(all(object).map((each) => [JSON.stringify(each), each])).values(),
  ];
  return { ok: true, outside };
}

/** Finds what documents of other environments and workspaces name, or are to take over. */
function findUsesAround(
  settings: Settings,
  service: LockService,
  objects: readonly ServiceObject[],
  { directory }: PlanRequest,
  access: AccessElsewhere,
): OutsideUsers[] {
  if (objects.length === 0) return [];
  const ids = objects.map(({ id }) => id);
  const search = new IdSearch(ids);
  // What is no part of a longer text has to be looked for in values.
  const isSearched = (text: string) => ids.some((id) => !isPartOfTexts(id)) || search.in(text).size > 0;
  const folderAt = once((of) => openFolder(of));
  return placesAround(settings, directory, access).map(({ where, choice, ...found }) => {
    const resources = resourcesElsewhere(isSearched, found.folder, found.environment, {
      ...access,
      folderAt,
    });
    if (!resources) {
      const why = `the documents of ${where} have errors, which \`agentform validate${stateOptions(choice)}\` shows`;
      return () => [cause("users-unread", { reasons: [why] })];
    }
    const read = readNeighbour(found, access);
    const lock = read.ok ? read.lock : { resources: {} };
    const usesOf = findUsesInDocuments({ resources, settings: found.settings }, lock, objects, where);
    const isElsewhere = !sharesService(identityOf(found.settings.service), service);
    return (object) => (isElsewhere && !isUnique(object.id) ? [] : usesOf(object));
  });
}

/** Gives the other environments of a workspace, and the other workspaces of its repository, by their manifests. */
function placesAround(
  { environment: own, environments }: Settings,
  directory: string,
  access: AccessElsewhere,
) {
  const folder = realFolder(directory);
  // Those of this workspace are known without git.
  const around = environmentsOf(environments).flatMap((environment) => {
    const settings = environment === own ? undefined : settingsIn(folder, environment);
    const where = `the environment \`${environmentName(environment)}\``;
    const name: ElsewhereName = { environment: environmentName(environment) };
    return settings ? [{ folder, environment, settings, where, name, choice: { environment } }] : [];
  });
  const neighbours = findNeighbours(directory, access).found.map((each) => {
    const { workspace, environment } = each;
    const name: ElsewhereName = { environment: environmentName(environment), workspace };
    return { ...each, where: neighbourName(each), name, choice: { folder: workspace, environment } };
  });
  return [...around, ...neighbours];
}

/** Finds what documents of other environments and workspaces are to take over, as far as they can be read. */
export function findPromisedAround(
  settings: Settings,
  request: PlanRequest,
): ReadonlyMap<string, PromisedElsewhere> {
  if (request.options?.emulator) return new Map();
  const now = identityOf(settings.service);
  const folderAt = once((of) => openFolder(of));
  const promised = new Map<string, PromisedElsewhere>();
  for (const { folder, environment, name, ...there } of placesAround(settings, request.directory, request)) {
    const service = identityOf(there.settings.service);
    const resources = resourcesElsewhere(() => false, folder, environment, { ...request, folderAt });
    for (const { address, lifecycle } of resources?.values() ?? []) {
      if (!sharesHost(service, now, address)) continue;
      for (const id of adoptedIds(lifecycle.adopt ?? null))
        promised.set(objectKey(address, id), { ...name, address });
    }
  }
  return promised;
}

function elsewhere(lock: Lock, where: string, service: LockService): LockElsewhere {
  const isElsewhere = !sharesService(lock.service, service);
  return { lock: isElsewhere ? managedAlone(lock) : certain(lock), where, isElsewhere };
}

interface LockElsewhere extends Pick<OtherLock, "lock" | "where"> {
  /** Whether it is of a service at another address, which may be the same service under another name. */
  readonly isElsewhere?: boolean;
}

// Two services may both number their objects; a long ID is the same object.
function isUnique(id: string): boolean {
  return id.length >= 12 && /\D/.test(id);
}

// The addresses and references of another service's lock mean its own objects.
function managedAlone(lock: Lock): Lock {
  const managed = withEntries(lock, ({ references: _references, ...rest }) => {
    return { ...rest, body: {}, uncertain: false };
  });
  return { ...managed, retired: {}, unknown: {} };
}

// An uncertain resource of a different environment refers to that environment's objects.
function certain(lock: Lock): Lock {
  return withEntries(lock, (entry) => (entry.uncertain === true ? { ...entry, uncertain: false } : entry));
}

function withEntries(lock: Lock, change: (entry: LockEntry) => LockEntry): Lock {
  const resources = Object.entries(lock.resources).map(([address, entry]) => [address, change(entry)]);
  return { ...lock, resources: Object.fromEntries(resources) as Lock["resources"] };
}

async function readBranches({ settings }: Fleet, lock: Lock, request: PlanRequest): Promise<LockElsewhere[]> {
  const { memory } = await openStore(settings, locationOf(request));
  if (!memory) return [];
  const states = [...(await memory.branches("all")), ...(await memory.branches("beside"))];
  const others = readOthers(states, ownerOf(settings));
  return locksApart(lock, others).map((other) => ({ ...other, lock: certain(other.lock) }));
}
