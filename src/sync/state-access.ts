import { error, hasErrors, type Diagnostic, type Finding } from "../core/finding/diagnostic.js";
import type { Lock, LockOwner, LockService } from "../core/state/lock.js";
import { layEditsOver, lockChanges, type StateChange } from "../core/plan/lock-changes.js";
import {
  StoreChangedError,
  StoreFailedError,
  StoreHeldError,
  type LockStore,
  type StoredState,
} from "../core/state/lock-store.js";
import type { Settings } from "../core/resources/manifest.js";
import { parseMove, storeText } from "../core/state/lock-move.js";
import { noOptions } from "../core/plan/plan-options.js";
import { assembleState, type KnownState } from "../core/state/stored-state.js";
import { checkNewest } from "./newest-state.js";
import type { PlanRequest } from "./request.js";
import { openStore, type StoreLocation } from "../store/open-store.js";
import { storeProblem } from "../store/problem.js";
import type { HeldLock } from "../store/recovery.js";
import type { LoadedWorkspace } from "../workspace/load-workspace.js";
import { keepStateNames } from "../workspace/known-names.js";
import { lockParser } from "../workspace/lock-cache.js";

/** The emulator's identity in a lock, whatever its port. */
export const emulatorIdentity: LockService = { base_url: "emulator" };

/** A state, where it was read, and the version of its lock. */
interface ReadState {
  readonly state: KnownState;
  readonly source: string;
  readonly version: string | null;
  /** The characters of the lock. */
  readonly lockLength: number;
  /** The edits of the change to the state, if it was compared with that of a commit. */
  readonly changes?: readonly StateChange[];
  /** The differences between the store's state and this one, which the change would make when it is merged. */
  readonly missing?: readonly string[];
}

/** Reads the state of an environment without holding its store; with a base, as a merge into it would make it. */
export async function readState(settings: Settings, request: PlanRequest): Promise<ReadState | Finding[]> {
  const store = await openStore(settings, locationOf(request));
  try {
    return await readFrom(store, settings, request);
  } catch (cause) {
    if (!(cause instanceof StoreFailedError)) throw cause;
    return [storeProblem(cause, store.lockName, settings.environment)];
  }
}

async function readFrom(
  store: LockStore,
  settings: Settings,
  request: PlanRequest,
): Promise<ReadState | Finding[]> {
  const against = await request.readBase?.(settings);
  const stored = await store.read();
  const of = { version: stored.version, lockLength: stored.lock?.length ?? 0 };
  const leftBehind = await findLeftBehind(stored, store, settings, request);
  if (leftBehind.length > 0) return [...leftBehind];
  if (!against) {
    const state = await readOwn(stored, store, settings, request, false);
    if ("lock" in state) return { state, source: store.lockName, ...of };
    // An apply may have replaced the lock before the copy of it was read, which is then newer.
    return (await isReplaced(store, of.version)) ? await readState(settings, request) : state;
  }
  // A commit's state is final, so the state that is compared with it must be complete as well.
  const own = await readOwn({ ...stored, holder: null }, store, settings, request, true);
  if (!("lock" in own)) return own;
  const { base, fork, source } = against;
  if (isSame(stored, base) && isSame(stored, fork)) return { state: own, source, ...of };
  const names = { lockName: source, journalName: `${source} (journal)` };
  const there = assembleState(base, ownerOf(settings), names);
  const common = assembleState(fork, ownerOf(settings), names);
  if (!("lock" in there)) return there;
  if (!("lock" in common)) return common;
  return mergeStates({ own, base: there, fork: common }, { source, ...of }, store.lockName);
}

// A manifest that names a store which does not have the state that the files have, or had, would have everything
// created again.
async function findLeftBehind(
  { lock, journal }: StoredState,
  { lockName }: LockStore,
  settings: Settings,
  request: PlanRequest,
): Promise<readonly Finding[]> {
  if (lock !== null || journal !== null) return [];
  if (settings.lock.store === "file" || request.options?.emulator) return [];
  const files = await openStore({ ...settings, lock: { store: "file" } }, locationOf(request));
  const stored = await readIfPossible(files);
  if (!stored || (stored.lock === null && stored.journal === null)) return [];
  const state = assembleState({ ...stored, holder: null }, ownerOf(settings), files);
  const refuse = (message: string, hint: string) => [
    error("lock-left-behind", { file: files.lockName }, message, hint),
  ];
  const end = stored.lock === null ? undefined : parseMove(stored.lock);
  const there = storeText(settings.lock);
  if (end && "to" in end && isOwner(end, settings)) {
    const to = storeText(end.to);
    const message = `the state has moved from ${files.lockName} to \`${to}\`, and ${lockName} has none`;
    return to === there
      ? refuse(message, "check the address and the credentials: the state is somewhere else, or was lost")
      : refuse(message, `set \`spec.lock\` to \`${to}\`, and move the state from there`);
  }
  if (!("lock" in state)) return state.some(({ code }) => code === "lock-foreign") ? [] : state;
  const message = `${files.lockName} has the state of this environment, and ${lockName} has none`;
  return refuse(
    message,
    `remove \`spec.lock\` again, and run \`agentform lock move --to '${there}'\`; if ${files.lockName} is not needed any more, delete it`,
  );
}

function isOwner(end: LockOwner, { name, environment }: Settings): boolean {
  return end.workspace === name && end.environment === environment;
}

async function isReplaced(store: LockStore, version: string | null): Promise<boolean> {
  const stored = await readIfPossible(store);
  return stored !== undefined && stored.version !== version;
}

async function readOwn(
  stored: StoredState,
  store: LockStore,
  settings: Settings,
  request: PlanRequest,
  areEditsShown: boolean,
): Promise<KnownState | Finding[]> {
  const parse = lockParser(stored.version, request);
  const state = assembleState(stored, ownerOf(settings), store, parse);
  if (Array.isArray(state)) return state;
  keepNamesOf(state.lock, request);
  const present = { lock: state.lock, name: store.lockName, version: stored.version, areEditsShown };
  const behind = store.memory ? await checkNewest(store.memory, present, ownerOf(settings), request) : [];
  if (hasErrors(behind)) return behind;
  return { ...state, findings: [...state.findings, ...behind] };
}

/** Keeps the names of a request's state for completing a half-typed line. */
export function keepNamesOf(lock: Lock, request: PlanRequest): void {
  keepStateNames(lock, request, request.options?.emulator === true);
}

function isSame(left: StoredState, right: StoredState): boolean {
  return left.version === right.version && left.journal === right.journal;
}

function mergeStates(
  { own, base, fork }: Readonly<Record<"own" | "base" | "fork", KnownState>>,
  read: Omit<ReadState, "state">,
  lockName: string,
): ReadState | Finding[] {
  const merged = layEditsOver(base.lock, fork.lock, own.lock);
  if ("clashes" in merged) {
    const message = `${lockName} and ${read.source} were both edited at ${merged.clashes.join(", ")}`;
    const hint = "merge that commit, keep what the last apply wrote, and make the edit again";
    return [error("lock-conflict", { file: lockName }, message, hint)];
  }
  const { lock } = merged;
  return {
    ...read,
    state: { ...own, lock, exists: own.exists || base.exists },
    changes: lockChanges(base.lock, lock),
    missing: lockChanges(own.lock, lock).map(({ part, key }) => key ?? part),
  };
}

/** The result if a store could not be used. */
interface StoreProblem {
  readonly status: "refused" | "moved";
  readonly diagnostics: readonly Diagnostic[];
}

/** Runs a function while this process holds a store. */
export async function holding<Result>(
  store: LockStore,
  loaded: LoadedWorkspace,
  run: () => Promise<Result>,
): Promise<Result | StoreProblem> {
  return await explaining(store, loaded, async () => {
    await store.acquire();
    let result: Result;
    try {
      result = await run();
    } catch (cause) {
      throw await releasedAfter(cause, store);
    }
    await store.release();
    return result;
  });
}

// A store that is still held must not hide why, nor what was done.
async function releasedAfter(cause: unknown, store: LockStore): Promise<unknown> {
  try {
    await store.release();
    return cause;
  } catch (other) {
    const isPlain = other instanceof StoreFailedError && other.hint === undefined;
    // Whether the state is intact is for the first to tell.
    const second = isPlain ? new StoreFailedError(other.message, "correct the cause and plan again") : other;
    return new AggregateError([cause, second]);
  }
}

/** Runs a function with a store; errors of the store are returned as diagnostics. */
export async function explaining<Result>(
  store: LockStore,
  loaded: LoadedWorkspace,
  run: () => Promise<Result>,
): Promise<Result | StoreProblem> {
  try {
    return await run();
  } catch (thrown) {
    const causes: readonly unknown[] = thrown instanceof AggregateError ? thrown.errors : [thrown];
    const known = causes.filter(isOfStore);
    if (known.length < causes.length) throw causes.find((cause) => !isOfStore(cause));
    const held = known.find((cause) => cause instanceof StoreHeldError);
    const stored = held && (await readIfPossible(store));
    const environment = loaded.fleet?.settings.environment ?? null;
    const status = known[0] instanceof StoreFailedError ? "refused" : "moved";
    // One by one, because together they would be sorted by their texts.
    const diagnostics = known.flatMap((cause) =>
      loaded.locate([storeProblem(cause, store.lockName, environment, stored)]),
    );
    return { status, diagnostics };
  }
}

function isOfStore(cause: unknown): cause is StoreHeldError | StoreChangedError | StoreFailedError {
  return (
    cause instanceof StoreHeldError || cause instanceof StoreChangedError || cause instanceof StoreFailedError
  );
}

async function readIfPossible(store: LockStore): Promise<StoredState | undefined> {
  try {
    return await store.read();
  } catch (cause) {
    if (cause instanceof StoreFailedError) return undefined;
    throw cause;
  }
}

/** Whether a store was acquired with a usable state. */
export function isHeld(held: HeldLock | readonly Finding[]): held is HeldLock {
  return "lock" in held;
}

/** Selects the store of a request. */
export function locationOf({ directory, options = noOptions, secrets, caFile }: PlanRequest): StoreLocation {
  return {
    directory,
    emulator: options.emulator,
    ...(secrets && { secrets }),
    ...(caFile !== undefined && { caFile }),
  };
}

/** The owner of a lock by the settings of a workspace. */
export function ownerOf({ name, environment }: Settings): LockOwner {
  return { workspace: name, environment };
}
