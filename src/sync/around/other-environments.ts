import { retiredIn } from "../../core/state/known-ids.js";
import { readdirSync } from "node:fs";
import { realPath } from "../../disk/real-path.js";
import { refused, type Checked } from "../../core/finding/checked.js";
import { error, hasErrors, type Finding } from "../../core/finding/diagnostic.js";
import { idsOf } from "../../core/kind/identity.js";
import { kindOfAddress } from "../../core/kind/kinds.js";
import {
  environmentName,
  environmentOf,
  environmentsWithState,
} from "../../core/resources/environment-name.js";
import { readBegun } from "../../core/state/begun-elsewhere.js";
import { lockFileName } from "../../core/resources/lock-location.js";
import type { Settings } from "../../core/resources/manifest.js";
import { type Lock, ownerOf } from "../../core/state/lock.js";
import { parseMove } from "../../core/state/lock-move.js";
import { StoreFailedError } from "../../core/state/lock-store.js";
import { checkServiceIdentity } from "../../core/state/service-identity.js";
import { assembleState } from "../../core/state/stored-state.js";
import { identityOf } from "../../service/target.js";
import { openLockFiles, openStore } from "../../store/open-store.js";
import { storeProblem } from "../../store/problem.js";
import { asStore } from "../../store/local/git-failure.js";
import { readStandingStates } from "../../store/standing-states.js";
import type { Elsewhere, ElsewhereOwner, UnknownElsewhere } from "../../core/import/importing.js";
import { naming } from "../../store/local/failure.js";
import type { PlanRequest } from "../request.js";
import { locationOf } from "../state-access.js";
import { readStatesAround } from "./states-around.js";
import { workspaceKey } from "../../workspace/others/state-elsewhere.js";
import {
  earlierEnvironments,
  type EarlierEnvironments,
} from "../../workspace/commits/earlier-environments.js";
import {
  findNeighbours,
  readNeighbours,
  type Neighbour,
  type Neighbours,
} from "../../workspace/others/neighbours.js";

/** The lock of a different environment of the same workspace. */
export interface OtherEnvironment {
  readonly environment: string | null;
  readonly lock: Lock;
  /** How messages name the lock. */
  readonly lockName: string;
}

/**
 * Reads what the other environments, and other workspaces of the repository, have in the same service; fails if a lock
 * cannot be read.
 */
export async function managedElsewhere(
  settings: Settings,
  request: PlanRequest,
): Promise<Checked<Elsewhere>> {
  const read = await readOtherEnvironments(settings, request);
  if (!read.ok) return read;
  const neighbours = await readNeighboursOf(request);
  if (!neighbours.ok) return neighbours;
  return { ok: true, ...gather([...read.environments, ...neighbours.states], settings) };
}

/**
 * Reads as much of it as needs no network, and passes over what cannot be read, and what the same command applies: that
 * may give an object away first.
 */
export async function managedNearby(settings: Settings, request: PlanRequest): Promise<Elsewhere> {
  if (request.options?.emulator) return gather([], settings);
  const isInFiles = settings.lock.store === "file";
  const read = isInFiles ? await readOtherEnvironments(settings, request) : undefined;
  const { directory, together } = request;
  const { found } = findNeighbours(directory);
  const others = found.filter(
    ({ folder, environment }) => !together?.has(workspaceKey(realPath(folder), environment)),
  );
  const { states } = readNeighbours({ found: others, unread: [] }, request);
  return gather([...(read?.ok ? read.environments : []), ...states], settings);
}

function gather(states: readonly (OtherEnvironment | Neighbour)[], settings: Settings): Elsewhere {
  const owners = new Map<string, ElsewhereOwner>();
  const unknown: UnknownElsewhere[] = [];
  for (const { lock, ...there } of states) {
    const now = identityOf(settings.service);
    if (!lock.service || checkServiceIdentity(lock, now, settings.servicePlace).length > 0) continue;
    const name = {
      environment: environmentName(there.environment),
      ...("workspace" in there && { workspace: there.workspace }),
    };
    const own = (address: string, id: string, isLeft: boolean): void => {
      const key = `${kindOfAddress(address).name}:${id}`;
      // What one has left behind another may manage.
      if (!isLeft || !owners.has(key)) owners.set(key, { ...name, isLeft });
    };
    for (const [address, entry] of Object.entries(lock.resources))
      for (const id of idsOf(entry)) own(address, id, false);
    for (const [address, { ids = [] }] of Object.entries(lock.unknown))
      for (const id of ids) own(address, id, false);
    for (const [id, { address }] of retiredIn(lock)) own(address, id, true);
    for (const [address, { body }] of Object.entries(lock.unknown)) {
      unknown.push({ ...name, address, body });
    }
  }
  return { owners, unknown };
}

// What they manage is theirs, so nothing is taken over while it is not known.
async function readNeighboursOf(request: PlanRequest): Promise<Checked<Neighbours>> {
  if (request.options?.emulator) return { ok: true, states: [], unread: [] };
  const { neighbours } = await readStatesAround(request);
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

/**
 * Reads the locks of the other environments: those that the manifest has, and those that it does not have any more, as
 * far as the folder or the clone shows them, and says why these may not be all. An environment that was never applied has
 * none. Fails if one cannot be read.
 */
export async function readOtherEnvironments(
  settings: Settings,
  request: PlanRequest,
): Promise<
  Checked<{ readonly environments: readonly OtherEnvironment[]; readonly unread: readonly string[] }>
> {
  if (request.options?.emulator) return { ok: true, environments: [], unread: [] };
  const environments: OtherEnvironment[] = [];
  const problems: Finding[] = [];
  const known = await settingsOfOthers(settings, request);
  if (!known.ok) return known;
  for (const other of known.others) {
    const read = await readLock(other, request);
    if (read.ok) environments.push(...read.environments);
    // That of a different workspace is none of this one's, and a file whose state has moved is read where it is now.
    else if (hasErrors(read.problems) && read.problems.some(({ code }) => !isPassed(code, other, settings)))
      problems.push(...read.problems);
  }
  return problems.length > 0 ? refused(problems) : { ok: true, environments, unread: known.unread };
}

function isPassed(code: Finding["code"], other: Settings, { lock }: Settings): boolean {
  if (code === "lock-foreign") return true;
  return code === "lock-moved" && other.lock.store === "file" && lock.store !== "file";
}

// A lock file may be that of an environment which the manifest does not have any more, or from before a move.
function settingsInFolder(settings: Settings, directory: string): Settings[] {
  const isInFiles = settings.lock.store === "file";
  const inFiles = isInFiles ? settings : { ...settings, lock: { store: "file" as const } };
  const known = isInFiles
    ? []
    : environmentsWithState(settings.environments).filter((name) => name !== settings.environment);
  const files = naming(lockFileName(settings), () => readdirSync(directory))
    .toSorted()
    .flatMap((name) => {
      const found = /^agentform(?:\.(.+))?\.lock$/.exec(name);
      return found && !(isInFiles && name === lockFileName(settings)) ? [found[1] ?? null] : [];
    });
  return [
    ...known.map((environment) => ({ ...settings, environment })),
    ...files.map((environment) => ({ ...inFiles, environment })),
  ];
}

// The state of an environment is there until somebody removes it, whatever manifest a branch has.
async function settingsOfOthers(
  settings: Settings,
  request: PlanRequest,
): Promise<Checked<{ readonly others: readonly Settings[]; readonly unread: readonly string[] }>> {
  try {
    const shown = settingsInFolder(settings, request.directory);
    if (settings.lock.store === "file") return { ok: true, others: shown, unread: [] };
    const { names, unread } = await asStore(namesInClone(settings, request));
    const known = [settings.environment, ...environmentsWithState([...settings.environments])];
    const removed = names.filter((name) => !known.includes(name));
    const others = [...shown, ...removed.map((environment) => ({ ...settings, environment }))];
    return { ok: true, others, unread };
  } catch (cause) {
    if (!(cause instanceof StoreFailedError)) throw cause;
    return refused([storeProblem(cause, lockFileName(settings), settings)]);
  }
}

async function namesInClone(
  settings: Settings,
  request: PlanRequest,
): Promise<{ readonly names: readonly (string | null)[]; readonly unread: readonly string[] }> {
  const standing = await readStandingStates(settings, locationOf(request));
  const names = standing
    .filter(({ store }) => store === settings.lock.store)
    .flatMap((state) => readBegun(state, ownerOf(settings)))
    .flatMap(({ owner, lock }) => (lock && owner.workspace === settings.name ? [owner.environment] : []));
  // A server shows no states; this machine may have written none of one that a commit has.
  const earlier: EarlierEnvironments =
    settings.lock.store === "git"
      ? { names: [] }
      : await earlierEnvironments(request.directory, settings.name);
  const { unread } = earlier;
  return {
    names: [...new Set([...names, ...earlier.names.map(environmentOf)])],
    unread: unread === undefined ? [] : [unread],
  };
}

function isRenamed(lock: string): boolean {
  const move = parseMove(lock);
  return move?.to !== undefined && move.as !== undefined;
}

async function readLock(
  settings: Settings,
  request: PlanRequest,
): Promise<Checked<{ readonly environments: readonly OtherEnvironment[] }>> {
  const { environment } = settings;
  const open = settings.lock.store === "file" ? openLockFiles : openStore;
  const store = await open(settings, locationOf(request));
  try {
    const stored = await store.read();
    // A state that has a new name is read under that.
    if (stored.lock !== null && isRenamed(stored.lock)) return { ok: true, environments: [] };
    const state = assembleState({ ...stored, holder: null }, ownerOf(settings), store);
    if (!state.ok) return state;
    const { exists, lock } = state;
    return { ok: true, environments: exists ? [{ environment, lock, lockName: store.lockName }] : [] };
  } catch (cause) {
    if (cause instanceof StoreFailedError)
      return refused([storeProblem(cause, store.lockName, { environment })]);
    throw cause;
  }
}
