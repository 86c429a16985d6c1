import { readdirSync } from "node:fs";
import { mapAtOnce } from "../../json/at-once.js";
import { refused, type Checked } from "../../core/finding/checked.js";
import type { Finding } from "../../core/finding/diagnostic.js";
import {
  environmentName,
  environmentsOf,
  environmentsWithState,
} from "../../core/resources/environment-name.js";
import { readStanding } from "../../core/state/lock-left-behind.js";
import { lockFileName, lockFilesAmong } from "../../core/resources/lock-location.js";
import type { Settings } from "../../core/resources/manifest.js";
import { type Lock, type LockOwner, ownerOf } from "../../core/state/lock.js";
import { parseMove } from "../../core/state/lock-move.js";
import { unlessMediumFails } from "../../core/state/lock-store.js";
import { ownerInTexts } from "../../core/state/renamed-state.js";
import { assembleState } from "../../core/state/stored-state.js";
import { openLockFiles, openStore, placeOf } from "../../store/open-store.js";
import { storeProblem } from "../../store/problem.js";
import { asStore } from "../../store/local/git-failure.js";
import { readStandingStates } from "../../store/standing-states.js";
import { naming } from "../../store/local/failure.js";
import { locationOf, type PlanRequest } from "../request.js";
import {
  earlierEnvironments,
  type EarlierEnvironments,
} from "../../workspace/commits/earlier-environments.js";

/** How many states are read at a time: each costs a connection, or processes of git. */
const concurrency = 8;

/** The lock of a different environment of the same workspace. */
export interface OtherEnvironment {
  readonly environment: string | null;
  readonly lock: Lock;
  /** How messages name the lock. */
  readonly lockName: string;
}

/** What was read of the locks of other environments, what is wrong with the rest, and why these may not be all. */
interface OtherEnvironments {
  readonly environments: readonly OtherEnvironment[];
  readonly problems: readonly Finding[];
  readonly unread: readonly string[];
}

/** Reads the locks of the other environments, and of those gone from the manifest as far as the clone shows them. */
export async function readOtherEnvironments(
  settings: Settings,
  request: PlanRequest,
): Promise<OtherEnvironments> {
  if (request.options?.emulator) return { environments: [], problems: [], unread: [] };
  const known = await unlessMediumFails(settingsOfOthers(settings, request), (failure) => ({
    others: [],
    problems: [storeProblem(failure, lockFileName(settings), settings)],
    unread: [],
  }));
  const read = await mapAtOnce(known.others, concurrency, (other) => readLock(other, request));
  const problems = read.flatMap((each, index) => {
    const other = known.others[index];
    // That of a different workspace is none of this one's, and a file whose state has moved is read where it is now.
    if (each.ok || !other || each.problems.every(({ code }) => isPassed(code, other, settings))) return [];
    return each.problems.map((problem) => declaring(problem, other, settings));
  });
  const environments = read.flatMap((each) => (each.ok ? each.environments : []));
  return { environments, problems: [...known.problems, ...problems], unread: known.unread };
}

// What mends a state is a command on its environment.
function declaring(problem: Finding, { name, environment }: Settings, own: Settings): Finding {
  const isRenamed = name !== own.name;
  if (!isRenamed && environmentsOf(own.environments).includes(environment)) return problem;
  const under = isRenamed ? `, under the earlier name \`${name}\` of the workspace` : "";
  const meanwhile = `declare the environment \`${environmentName(environment)}\` in agentform.yaml meanwhile${under}`;
  return { ...problem, hint: problem.hint === undefined ? meanwhile : `${problem.hint}; ${meanwhile}` };
}

function isPassed(code: Finding["code"], other: Settings, { name, lock }: Settings): boolean {
  if (code === "lock-foreign") return true;
  const isLeft = other.name !== name || (other.lock.store === "file" && lock.store !== "file");
  return code === "lock-moved" && isLeft;
}

// A lock file may be that of an environment which the manifest does not have any more, or from before a move.
function settingsInFolder(settings: Settings, directory: string): Settings[] {
  const isInFiles = settings.lock.store === "file";
  const inFiles = isInFiles ? settings : { ...settings, lock: { store: "file" as const } };
  const known = isInFiles
    ? []
    : environmentsWithState(settings.environments).filter((name) => name !== settings.environment);
  const names = naming(lockFileName(settings), () => readdirSync(directory)).toSorted();
  const files = lockFilesAmong(names).filter((each) => !isInFiles || each !== settings.environment);
  return [
    ...known.map((environment) => ({ ...settings, environment })),
    ...files.map((environment) => ({ ...inFiles, environment })),
  ];
}

// The state of an environment is there until somebody removes it, whatever manifest a branch has.
async function settingsOfOthers(
  settings: Settings,
  request: PlanRequest,
): Promise<{ readonly others: readonly Settings[] } & Omit<OtherEnvironments, "environments">> {
  const shown = settingsInFolder(settings, request.directory);
  if (settings.lock.store === "file") return { others: shown, problems: [], unread: [] };
  const { owners, unread } = await asStore(ownersInClone(settings, request));
  const removed = owners.map(({ workspace, environment }) => ({ ...settings, name: workspace, environment }));
  const known = new Set([settings, ...shown].map(placeOf));
  // Two names may have one place.
  const others = new Map(removed.map((each) => [placeOf(each), each]));
  for (const place of known) others.delete(place);
  return { others: [...shown, ...others.values()], problems: [], unread };
}

async function ownersInClone(
  settings: Settings,
  request: PlanRequest,
): Promise<{ readonly owners: readonly LockOwner[]; readonly unread: readonly string[] }> {
  const standing = await readStandingStates(settings, locationOf(request));
  const owners = standing
    .filter(({ store }) => store === settings.lock.store)
    .flatMap((state) => readStanding(state, ownerOf(settings)))
    .flatMap(({ owner, lock }) => (lock && owner.workspace === settings.name ? [owner] : []));
  // A server shows no states; this machine may have written none of one that a commit has.
  const earlier: EarlierEnvironments =
    settings.lock.store === "git" ? { owners: [] } : await earlierEnvironments(request.directory);
  const { unread } = earlier;
  // Of one place, the last counts.
  return {
    owners: [...earlier.owners, ...owners],
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
  const { lockName } = store;
  const stored = await unlessMediumFails(
    store.read().then((read) => ({ ok: true as const, ...read })),
    (failure) => refused([storeProblem(failure, lockName, { environment })]),
  );
  if (!stored.ok) return stored;
  // A state that has a new name is read under that.
  if (stored.lock !== null && isRenamed(stored.lock)) return { ok: true, environments: [] };
  // What the workspace left behind under an earlier name is still in the service.
  const was = ownerInTexts(stored);
  const owner = was?.environment === environment ? was : ownerOf(settings);
  const state = assembleState({ ...stored, holder: null }, owner, store);
  if (!state.ok) return state;
  const { exists, lock } = state;
  return { ok: true, environments: exists ? [{ environment, lock, lockName }] : [] };
}
