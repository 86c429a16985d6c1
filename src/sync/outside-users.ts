import type { Checked } from "../core/finding/checked.js";
import { IdSearch } from "../core/kind/id-search.js";
import { pendingAdoption } from "../core/plan/adoption.js";
import { environmentName } from "../core/resources/environment-name.js";
import type { Fleet } from "../core/resources/fleet.js";
import { eachText } from "../core/expression/reference.js";
import type { Lock, LockService } from "../core/state/lock.js";
import { locksApart } from "../core/state/newest-lock.js";
import { findUsers, howUsed, type ServiceObject } from "../core/state/object-users.js";
import { sharesService } from "../core/state/service-identity.js";
import type { Json } from "../json/json.js";
import { readOthers } from "./newest-state.js";
import { readOtherEnvironments } from "./other-environments.js";
import type { PlanRequest } from "./request.js";
import { locationOf, ownerOf } from "./state-access.js";
import { openStore } from "../store/open-store.js";

/** Says what outside of a lock may use an object, as a clause; undefined if nothing does. */
export type OutsideUsers = (object: ServiceObject) => string | undefined;

/**
 * Finds what outside of this lock may use one of some objects: the documents of the workspace, the locks of its other
 * environments at the same service, and those that other branches have of this environment and that are newer in
 * some part. Gives findings if a lock cannot be read.
 */
export async function readOutsideUsers(
  fleet: Fleet,
  lock: Lock,
  service: LockService,
  objects: readonly ServiceObject[],
  request: PlanRequest,
): Promise<Checked<{ readonly outside: OutsideUsers }>> {
  const documents = inDocuments(fleet, lock, objects);
  if (request.options?.emulator) return { ok: true, outside: documents };
  const others = await readOtherEnvironments(fleet.settings, request);
  if (!others.ok) return others;
  const environments = others.environments.map(({ lock: other, lockName }): LockElsewhere => {
    const isElsewhere = !sharesService(other.service, service);
    return { lock: isElsewhere ? managedAlone(other) : certain(other), where: lockName, isElsewhere };
  });
  const branches = await readBranches(fleet, lock, request);
  const locks = [...environments, ...branches].map(({ lock: other, ...known }) => {
    return { usersOf: findUsers(other, objects), ...known };
  });
  const outside: OutsideUsers = (object) => {
    const own = documents(object);
    if (own !== undefined) return own;
    for (const { usersOf, where, isElsewhere } of locks) {
      if (isElsewhere && !isUnique(object.id)) continue;
      const user = usersOf(object).find(({ retired }) => retired === undefined);
      if (user) return `${howUsed(user)} in ${where}`;
    }
    return undefined;
  };
  return { ok: true, outside };
}

interface LockElsewhere {
  readonly lock: Lock;
  readonly where: string;
  /** Whether it is of a service at another address, which may be the same service under another name. */
  readonly isElsewhere?: boolean;
}

// Two services may both number their objects; a long ID is the same object.
function isUnique(id: string): boolean {
  return id.length >= 12 && /\D/.test(id);
}

// What is forgotten in this environment may be taken over by a document that was not applied yet.
function inDocuments(
  { resources, settings }: Fleet,
  lock: Lock,
  objects: readonly ServiceObject[],
): OutsideUsers {
  const { environment } = settings;
  const search = new IdSearch(objects.map(({ id }) => id));
  const adopted = new Map<string, string>();
  const contained = new Map<string, string>();
  for (const resource of resources.values()) {
    const { address } = resource;
    for (const id of search.in(resource.body)) contained.set(id, address);
    const { adopt } = resource.lifecycle;
    if (adopt === undefined) continue;
    const pending = pendingAdoption(resource, environment, lock.resources[address]);
    const elsewhere = isTable(adopt) ? { ...adopt, [environmentName(environment)]: "" } : {};
    eachText([pending ?? "", elsewhere], (text) => {
      // For a tool set, `operation=ID`.
      for (const id of [text, text.slice(text.lastIndexOf("=") + 1)]) adopted.set(id, address);
    });
  }
  return ({ id }) => {
    const by = adopted.get(id);
    if (by !== undefined) return `\`lifecycle.adopt\` of ${by} names it`;
    const holder = contained.get(id);
    return holder === undefined ? undefined : `the document of ${holder} contains its ID`;
  };
}

function isTable(value: Json | undefined): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// The addresses and references of another service's lock mean its own objects.
function managedAlone(lock: Lock): Lock {
  const resources = Object.entries(lock.resources).map(([address, entry]) => {
    const { references: _references, ...rest } = entry;
    return [address, { ...rest, body: {}, uncertain: false }] as const;
  });
  return { ...lock, resources: Object.fromEntries(resources), retired: {}, unknown: {} };
}

// An uncertain resource of a different environment refers to that environment's objects.
function certain(lock: Lock): Lock {
  const resources = Object.entries(lock.resources).map(([address, entry]) => {
    return [address, entry.uncertain === true ? { ...entry, uncertain: false } : entry] as const;
  });
  return { ...lock, resources: Object.fromEntries(resources) };
}

async function readBranches({ settings }: Fleet, lock: Lock, request: PlanRequest): Promise<LockElsewhere[]> {
  const { memory } = await openStore(settings, locationOf(request));
  if (!memory) return [];
  const others = readOthers(await memory.elsewhere(), ownerOf(settings));
  return locksApart(lock, others).map((other) => ({ ...other, lock: certain(other.lock) }));
}
