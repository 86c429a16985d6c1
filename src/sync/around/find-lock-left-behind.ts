import type { Finding } from "../../core/finding/diagnostic.js";
import type { Fleet } from "../../core/resources/fleet.js";
import { placeJson } from "../../core/resources/store-place.js";
import { environmentName, environmentsOf } from "../../core/resources/environment-name.js";
import {
  explainOtherFolder,
  explainOtherName,
  explainOtherStore,
  mayBeRenamed,
  readStanding,
  type PlaceWithoutState,
  type StandingLock,
} from "../../core/state/lock-left-behind.js";
import { isSameOwner, ownerOf } from "../../core/state/lock.js";
import type { ReadableState, StoredState } from "../../core/state/lock-store.js";
import { identityOf } from "../../service/target.js";
import { isOwnedByBranch } from "../../workspace/commits/named-manifests.js";
import { readStandingStates } from "../../store/standing-states.js";
import { isOfNeighbour } from "../../workspace/others/neighbours.js";
import { findLocksOfMoved } from "../../workspace/others/locks-without-manifest.js";
import { locationOf, type PlanRequest } from "../request.js";

/** Looks for a state before one is begun: another store, name or environment would create everything again. */
export async function findLockLeftBehind(
  { otherwise }: Pick<StoredState, "otherwise">,
  { lockName }: Pick<ReadableState, "lockName">,
  { settings, resources }: Pick<Fleet, "settings" | "resources">,
  request: PlanRequest,
): Promise<readonly Finding[]> {
  if (request.options?.emulator) return [];
  const owner = ownerOf(settings);
  const begin: PlaceWithoutState = {
    owner,
    lockName,
    named: placeJson(settings.lock),
    environments: environmentsOf(settings.environments),
    addresses: new Set(resources.keys()),
    service: identityOf(settings.service),
  };
  const found = await readStandingStates(settings, locationOf(request));
  const standing = found
    .filter(({ where }) => where !== lockName)
    .flatMap((state) => readStanding(state, owner));
  const same = standing.find((state) => isSameOwner(state.owner, owner));
  if (same) return [explainOtherStore(same, begin, otherwise)];
  for (const state of standing) {
    if (mayBeRenamed(state, begin) && !(await isOthers(state, begin, request)))
      return [explainOtherName(state, begin)];
  }
  const left = settings.lock.store === "file" ? findLocksOfMoved(request.directory) : [];
  const moved = left.find((each) => isSameOwner(each.owner, owner));
  if (moved) return explainOtherFolder(moved, begin);
  for (const each of left)
    if (mayBeRenamed(each, begin) && !(await isOthers(each, begin, request)))
      return explainOtherFolder(each, begin);
  return [];
}

// The name may be that of a workspace in another folder, or of something that another branch adds.
async function isOthers(
  { owner }: Pick<StandingLock, "owner">,
  begin: PlaceWithoutState,
  request: PlanRequest,
): Promise<boolean> {
  const { directory } = request;
  const { workspace, environment } = owner;
  const name = workspace === begin.owner.workspace ? environmentName(environment) : workspace;
  return isOfNeighbour(directory, owner, request) || (await isOwnedByBranch(directory, owner, name));
}
