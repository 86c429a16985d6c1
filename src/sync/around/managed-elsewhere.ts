import {
  elsewhereText,
  objectKey,
  type Elsewhere,
  type ElsewhereOwner,
  type UnknownElsewhere,
} from "../../core/import/importing.js";
import { refused, type Checked } from "../../core/finding/checked.js";
import { error, type Finding, type Place } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import type { Plan } from "../../core/plan/plan.js";
import { environmentName } from "../../core/resources/environment-name.js";
import type { Fleet } from "../../core/resources/fleet.js";
import type { Settings } from "../../core/resources/manifest.js";
import { possibleIdsOf, retiredIn } from "../../core/state/known-ids.js";
import type { ServiceObject } from "../../core/state/object-users.js";
import { sharesHost } from "../../core/state/service-identity.js";
import { identityOf } from "../../service/target.js";
import {
  findNeighbours,
  readNeighbours,
  type Neighbour,
  type Neighbours,
} from "../../workspace/others/neighbours.js";
import { workspaceKey } from "../../workspace/others/state-elsewhere.js";
import type { PlanRequest } from "../request.js";
import { readNewestNeighbours } from "./newest-neighbours.js";
import { readOtherEnvironments, type OtherEnvironment } from "./other-environments.js";

/** Reads what other environments and workspaces have in the same service; fails if a lock cannot be read. */
export async function managedElsewhere(
  settings: Settings,
  request: PlanRequest,
): Promise<Checked<Elsewhere>> {
  const { environments, problems } = await readOtherEnvironments(settings, request);
  if (problems.length > 0) return refused(problems);
  const neighbours = await readNeighboursOf(request);
  if (!neighbours.ok) return neighbours;
  return { ok: true, ...gather([...environments, ...neighbours.states], settings) };
}

/** Adds other workspaces that need no network; those of the same command that come before this one as they will be. */
function managedNearby(
  environments: readonly OtherEnvironment[],
  settings: Settings,
  request: PlanRequest,
): Elsewhere {
  if (request.options?.emulator) return gather([], settings);
  const { found } = findNeighbours(request.directory, request);
  const states = found.flatMap((each) => {
    const { states: read } = readNeighbours({ found: [each], unread: [] }, request);
    const resources = request.before?.get(workspaceKey(each.folder, each.environment))?.entries;
    return resources ? read.map((state) => ({ ...state, lock: { ...state.lock, resources } })) : read;
  });
  return gather([...environments, ...states], settings);
}

function gather(states: readonly (OtherEnvironment | Neighbour)[], settings: Settings): Elsewhere {
  const owners = new Map<string, ElsewhereOwner>();
  const unknown: UnknownElsewhere[] = [];
  for (const { lock, ...there } of states) {
    const [now, { service }] = [identityOf(settings.service), lock];
    if (!service) continue;
    const name = {
      environment: environmentName(there.environment),
      ...("workspace" in there && { workspace: there.workspace }),
    };
    const own = (address: string, id: string, isLeft: boolean): void => {
      const key = objectKey(address, id);
      // Two may share the address of agents alone, or that of policies.
      if (!sharesHost(service, now, address)) return;
      // What one has left behind another may manage.
      if (!isLeft || !owners.has(key)) owners.set(key, { ...name, address, isLeft });
    };
    for (const [address, entry] of [lock.resources, lock.unknown].flatMap((table) => Object.entries(table)))
      for (const id of possibleIdsOf(entry)) own(address, id, false);
    for (const [id, { address }] of retiredIn(lock)) own(address, id, true);
    for (const [address, { body }] of Object.entries(lock.unknown)) {
      if (sharesHost(service, now, address)) unknown.push({ ...name, address, body });
    }
  }
  return { owners, unknown };
}

// What they manage is theirs, so nothing is taken over while it is not known.
async function readNeighboursOf(request: PlanRequest): Promise<Checked<Neighbours>> {
  if (request.options?.emulator) return { ok: true, states: [], unread: [] };
  const { neighbours } = await readNewestNeighbours(request);
  const problems = neighbours.unread.map((why) =>
    error(
      "uses-unreadable",
      undefined,
      why,
      "correct it, or take that folder out of the repository: its objects are not to be taken over",
    ),
  );
  return problems.length > 0 ? refused(problems) : { ok: true, ...neighbours };
}

/** An object to take over, and where a document asks for that. */
export interface ObjectToTake extends ServiceObject {
  readonly place?: Place;
}

/** Finds objects to be taken over that another environment or workspace manages: two would overwrite each other. */
export async function findTakenElsewhere(
  wanted: readonly ObjectToTake[],
  settings: Settings,
  request: PlanRequest,
): Promise<readonly Finding[]> {
  if (wanted.length === 0) return [];
  const elsewhere = await managedElsewhere(settings, request);
  return elsewhere.ok ? takenFrom(elsewhere, wanted) : elsewhere.problems;
}

/** Warns of what a plan would take over in this way, as far as files show it: until the apply, it may be given away. */
export async function findTakenNearby(
  plan: Plan,
  fleet: Fleet,
  request: PlanRequest,
): Promise<readonly Finding[]> {
  const wanted = adoptedBy(plan, fleet);
  if (wanted.length === 0) return [];
  const { settings } = fleet;
  const isRead = settings.lock.store === "file";
  const { environments } = isRead ? await readOtherEnvironments(settings, request) : { environments: [] };
  const taken = takenFrom(managedNearby(environments, settings, request), wanted);
  return taken.map((finding) => ({ ...finding, severity: "warning" }));
}

/** Finds made objects whose IDs another state has: a service may answer a create with what has the name already. */
export async function findMadeElsewhere(
  made: readonly ServiceObject[],
  settings: Settings,
  request: PlanRequest,
): Promise<readonly Finding[]> {
  const { environments } = await readOtherEnvironments(settings, request);
  const { owners } = managedNearby(environments, settings, request);
  const found = new Map<string, Finding>();
  for (const { address, id } of made) {
    const owner = owners.get(objectKey(address, id));
    if (owner?.isLeft !== false) continue;
    const message = say`the service answered the create of ${bare({ address })} with the ID ${bare({ id })}, and ${elsewhereText(owner)} has it: each would overwrite what the other sends`;
    const hint = `if the service answers a create with the object that has the name already, give this one another name and apply with \`--replace ${address}\`; then apply the other one with \`--resend ${owner.address}\``;
    found.set(address, error("adopt-taken", undefined, message, hint));
  }
  return [...found.values()];
}

/** Gives the objects that a plan takes over. */
export function adoptedBy(
  { actions }: Pick<Plan, "actions">,
  { resources }: Pick<Fleet, "resources">,
): ObjectToTake[] {
  return actions.flatMap(({ action, address, ids = [] }) => {
    const place = resources.get(address)?.place(["lifecycle", "adopt"]);
    return action === "adopt" ? ids.map((id) => ({ id, address, ...(place && { place }) })) : [];
  });
}

function takenFrom({ owners }: Elsewhere, wanted: readonly ObjectToTake[]): Finding[] {
  return wanted.flatMap(({ address, id, place }) => {
    const owner = owners.get(objectKey(address, id));
    if (owner?.isLeft !== false) return [];
    const message = say`${bare({ address })} cannot have the ID ${bare({ id })}: ${elsewhereText(owner)} has it`;
    return [
      error(
        "adopt-taken",
        place,
        message,
        "remove it there first, and apply that; if its manifest is gone, remove its state",
      ),
    ];
  });
}
