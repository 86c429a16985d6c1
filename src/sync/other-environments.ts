import { readdirSync } from "node:fs";
import { hasErrors, type Code, type Finding } from "../core/finding/diagnostic.js";
import type { Lock } from "../core/state/lock.js";
import { StoreFailedError } from "../core/state/lock-store.js";
import type { Settings } from "../core/resources/manifest.js";
import { assembleState } from "../core/state/stored-state.js";
import type { PlanRequest } from "./request.js";
import { locationOf, ownerOf } from "./state-access.js";
import { lockFileName, openStore } from "../store/open-store.js";
import { storeProblem } from "../store/problem.js";

/** The lock of a different environment of the same workspace. */
export interface OtherEnvironment {
  readonly environment: string | null;
  readonly lock: Lock;
  /** How messages name the lock. */
  readonly lockName: string;
}

/** The locks of the other environments, and errors for those that cannot be read. */
export interface OtherEnvironments {
  readonly environments: readonly OtherEnvironment[];
  readonly unread: readonly Finding[];
}

/**
 * Reads the locks of the other environments: those that the manifest has, and those of lock files in the folder. An
 * environment that was never applied has none.
 */
export async function readOtherEnvironments(
  settings: Settings,
  request: PlanRequest,
): Promise<OtherEnvironments> {
  const environments: OtherEnvironment[] = [];
  const unread: Finding[] = [];
  if (request.options?.emulator) return { environments, unread };
  for (const other of settingsOfOthers(settings, request.directory)) {
    const read = await readLock(other, request);
    if (!Array.isArray(read)) environments.push(read);
    // That of a different workspace is none of this one's, and a file whose state has moved is read where it is now.
    else if (hasErrors(read) && read.some(({ code }) => !isPassed(code, other, settings)))
      unread.push(...read);
  }
  return { environments, unread };
}

function isPassed(code: Code, other: Settings, { lock }: Settings): boolean {
  if (code === "lock-foreign") return true;
  return code === "lock-moved" && other.lock.store === "file" && lock.store !== "file";
}

// A lock file may be that of an environment which the manifest does not have any more, or from before a move.
function settingsOfOthers(settings: Settings, directory: string): Settings[] {
  const inFiles = { ...settings, lock: { store: "file" as const } };
  const isInFiles = settings.lock.store === "file";
  const known = isInFiles
    ? []
    : [null, ...settings.environments].filter((name) => name !== settings.environment);
  const files = readdirSync(directory)
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

async function readLock(settings: Settings, request: PlanRequest): Promise<OtherEnvironment | Finding[]> {
  const { environment } = settings;
  const store = await openStore(settings, locationOf(request));
  try {
    const state = assembleState({ ...(await store.read()), holder: null }, ownerOf(settings), store);
    if (Array.isArray(state)) return state;
    return state.exists ? { environment, lock: state.lock, lockName: store.lockName } : [];
  } catch (cause) {
    if (cause instanceof StoreFailedError) return [storeProblem(cause, store.lockName, environment)];
    throw cause;
  }
}
