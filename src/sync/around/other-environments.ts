import { readdirSync } from "node:fs";
import { refused, type Checked } from "../../core/finding/checked.js";
import { hasErrors, type Finding } from "../../core/finding/diagnostic.js";
import {
  environmentName,
  environmentOf,
  environmentsOf,
  environmentsWithState,
} from "../../core/resources/environment-name.js";
import { readStanding } from "../../core/state/lock-left-behind.js";
import { lockFileName, lockFilesAmong } from "../../core/resources/lock-location.js";
import type { Settings } from "../../core/resources/manifest.js";
import { type Lock, ownerOf } from "../../core/state/lock.js";
import { parseMove } from "../../core/state/lock-move.js";
import { unlessMediumFails } from "../../core/state/lock-store.js";
import { ownerInTexts } from "../../core/state/renamed-state.js";
import { assembleState } from "../../core/state/stored-state.js";
import { openLockFiles, openStore } from "../../store/open-store.js";
import { storeProblem } from "../../store/problem.js";
import { asStore } from "../../store/local/git-failure.js";
import { readStandingStates } from "../../store/standing-states.js";
import { naming } from "../../store/local/failure.js";
import { locationOf, type PlanRequest } from "../request.js";
import {
  earlierEnvironments,
  type EarlierEnvironments,
} from "../../workspace/commits/earlier-environments.js";

/** The lock of a different environment of the same workspace. */
export interface OtherEnvironment {
  readonly environment: string | null;
  readonly lock: Lock;
  /** How messages name the lock. */
  readonly lockName: string;
}

/**
 * Reads the locks of the other environments: those that the manifest has, and those that it does not have any more, as
 * far as the folder or the clone shows them, and says why these may not be all. An environment that was never applied has
 * none. Fails if one cannot be read, unless that is passed over.
 */
export async function readOtherEnvironments(
  settings: Settings,
  request: PlanRequest,
  passesUnread = false,
): Promise<
  Checked<{ readonly environments: readonly OtherEnvironment[]; readonly unread: readonly string[] }>
> {
  if (request.options?.emulator) return { ok: true, environments: [], unread: [] };
  const environments: OtherEnvironment[] = [];
  const problems: Finding[] = [];
  const known = await unlessMediumFails(settingsOfOthers(settings, request), (failure) =>
    refused([storeProblem(failure, lockFileName(settings), settings)]),
  );
  if (!known.ok) return known;
  for (const other of known.others) {
    const read = await readLock(other, request);
    if (read.ok) environments.push(...read.environments);
    // That of a different workspace is none of this one's, and a file whose state has moved is read where it is now.
    else if (hasErrors(read.problems) && read.problems.some(({ code }) => !isPassed(code, other, settings)))
      problems.push(...read.problems.map((problem) => declaring(problem, other, settings)));
  }
  return problems.length > 0 && !passesUnread
    ? refused(problems)
    : { ok: true, environments, unread: known.unread };
}

// What mends a state is a command on its environment.
function declaring(problem: Finding, { environment }: Settings, { environments }: Settings): Finding {
  if (environmentsOf(environments).includes(environment)) return problem;
  const meanwhile = `declare the environment \`${environmentName(environment)}\` in agentform.yaml meanwhile`;
  return { ...problem, hint: problem.hint === undefined ? meanwhile : `${problem.hint}; ${meanwhile}` };
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
): Promise<Checked<{ readonly others: readonly Settings[]; readonly unread: readonly string[] }>> {
  const shown = settingsInFolder(settings, request.directory);
  if (settings.lock.store === "file") return { ok: true, others: shown, unread: [] };
  const { names, unread } = await asStore(namesInClone(settings, request));
  const known = [settings.environment, ...environmentsWithState([...settings.environments])];
  const removed = names.filter((name) => !known.includes(name));
  const others = [...shown, ...removed.map((environment) => ({ ...settings, environment }))];
  return { ok: true, others, unread };
}

async function namesInClone(
  settings: Settings,
  request: PlanRequest,
): Promise<{ readonly names: readonly (string | null)[]; readonly unread: readonly string[] }> {
  const standing = await readStandingStates(settings, locationOf(request));
  const names = standing
    .filter(({ store }) => store === settings.lock.store)
    .flatMap((state) => readStanding(state, ownerOf(settings)))
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
