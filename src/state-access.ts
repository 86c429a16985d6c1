import type { Diagnostic, Finding } from "./core/diagnostic.js";
import type { LockOwner, LockService } from "./core/lock.js";
import {
  StoreChangedError,
  StoreFailedError,
  StoreHeldError,
  type LockStore,
  type StoredState,
} from "./core/lock-store.js";
import type { Settings } from "./core/manifest.js";
import { noOptions } from "./core/plan-options.js";
import { assembleState, type KnownState } from "./core/stored-state.js";
import { hash } from "./digest.js";
import type { PlanRequest } from "./request.js";
import { openStore, type StoreLocation } from "./store/open-store.js";
import { storeProblem } from "./store/problem.js";
import type { HeldLock } from "./store/recovery.js";
import type { LoadedWorkspace } from "./workspace/load-workspace.js";
import { cachedIndex } from "./workspace/lock-cache.js";

/** How a lock names the emulator, whatever its port. */
export const emulatorIdentity: LockService = { base_url: "emulator" };

/** A state, where it was read, and which version of the lock was there. */
interface ReadState {
  readonly state: KnownState;
  readonly source: string;
  readonly version: string | null;
}

/** Reads the state of an environment without holding its store. */
export async function readState(settings: Settings, request: PlanRequest): Promise<ReadState | Finding[]> {
  const store = openStore(settings, locationOf(request));
  const elsewhere = await request.readState?.(settings);
  const source = elsewhere?.source ?? store.lockName;
  const names = { lockName: source, journalName: elsewhere ? `${source} (journal)` : store.journalName };
  let stored: StoredState;
  try {
    stored = elsewhere ?? (await store.read());
  } catch (cause) {
    if (!(cause instanceof StoreFailedError)) throw cause;
    return [storeProblem(cause, source)];
  }
  const index = stored.lock === null ? undefined : cachedIndex(stored.lock, stored.version, request);
  const state = assembleState(stored, ownerOf(settings), names, hash, index);
  return Array.isArray(state) ? state : { state: state as KnownState, source, version: stored.version };
}

/** How it ended with a store that was not to be had. */
interface StoreProblem {
  readonly status: "refused" | "moved";
  readonly diagnostics: readonly Diagnostic[];
}

/** Runs something while this process holds a store. */
export async function holding<Result>(
  store: LockStore,
  loaded: LoadedWorkspace,
  run: () => Promise<Result>,
): Promise<Result | StoreProblem> {
  return await explaining(store, loaded, async () => {
    await store.acquire();
    try {
      return await run();
    } finally {
      await store.release();
    }
  });
}

/** Runs something with a store; what the store throws comes out as diagnostics. */
export async function explaining<Result>(
  store: LockStore,
  loaded: LoadedWorkspace,
  run: () => Promise<Result>,
): Promise<Result | StoreProblem> {
  try {
    return await run();
  } catch (cause) {
    const isKnown =
      cause instanceof StoreHeldError ||
      cause instanceof StoreChangedError ||
      cause instanceof StoreFailedError;
    if (!isKnown) throw cause;
    const diagnostics = loaded.locate([storeProblem(cause, store.lockName)]);
    return { status: cause instanceof StoreFailedError ? "refused" : "moved", diagnostics };
  }
}

/** Whether a store's lock could be taken over from what was found in the store. */
export function isHeld(held: HeldLock | readonly Finding[]): held is HeldLock {
  return "lock" in held;
}

/** Which store a request means. */
export function locationOf({ directory, options = noOptions }: PlanRequest): StoreLocation {
  return { directory, emulator: options.emulator };
}

/** Whose lock the settings of a workspace ask for. */
export function ownerOf({ name, environment }: Settings): LockOwner {
  return { workspace: name, environment };
}
