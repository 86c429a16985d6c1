import { readIfPossible } from "./read-state.js";
import type { KnownState } from "../core/state/stored-state.js";
import { randomBytes, randomUUID } from "node:crypto";
import type { Checked, Refusal } from "../core/finding/checked.js";
import type { Diagnostic, Finding } from "../core/finding/diagnostic.js";
import {
  StoreChangedError,
  StoreFailedError,
  StoreHeldError,
  type HoldableState,
  type LockStore,
  type StoredState,
  type WritableState,
} from "../core/state/lock-store.js";
import { nextWrite } from "../core/state/lock-writes.js";
import { openStore } from "../store/open-store.js";
import { storeProblem } from "../store/problem.js";
import { recover } from "../store/recovery.js";
import {
  isSound,
  loadWorkspace,
  type LoadedWorkspace,
  type SoundWorkspace,
} from "../workspace/load-workspace.js";
import { choiceIn, locationOf, type PlanRequest } from "./request.js";
import { checkNewest } from "./around/newest-state.js";
import { ownerOf, renderLock, type Lock } from "../core/state/lock.js";

/** How what changes something ended, in a word, with what was found. */
export interface Ended<Status extends string = string> {
  /** Nothing: what has one has not ended yet. */
  readonly ok?: undefined;
  readonly status: Status;
  readonly diagnostics: readonly Diagnostic[];
}

/** What nothing was done for: the workspace, its state or the store does not allow it, or somebody else has it. */
export type Refused = Ended<"refused" | "moved">;

/** Where something is changed: a workspace, and the store of its environment. */
export interface Scene {
  readonly loaded: SoundWorkspace;
  readonly store: LockStore;
  readonly request: PlanRequest;
}

/** What was agreed to, or how it ended before anything was held. */
export type Agreement<Consent, Result> =
  | { readonly ok: true; readonly agreed: Consent }
  | (Result & Pick<Ended, "ok">)
  | Refusal;

/** The parts in which what changes something differs. */
export interface Transaction<Consent, Held, Result> {
  /** Whether documents may have errors: where only the manifest is needed. */
  readonly needsManifestAlone: boolean;
  /** Reads, shows and asks, before anything is held; nothing to ask unless given. */
  readonly agree: (scene: Scene) => Promise<Agreement<Consent, Result>>;
  /** Gives the state now that the store is held. */
  readonly recover: (scene: Scene) => Promise<Checked<Held>>;
  /** Confirms that what was agreed to is what there is, carries it out, and writes. */
  readonly run: (agreed: Consent, held: Held, scene: Scene) => Promise<Result | Refusal>;
}

/** Read, show, agree, hold, recover, confirm, run, write: nothing is held while somebody reads, so it is confirmed. */
export async function transact<Consent, Held, Result extends Ended>(
  request: PlanRequest,
  parts: Transaction<Consent, Held, Result>,
): Promise<Result | Refused> {
  const loaded = loadWorkspace(request);
  const { fleet, diagnostics } = loaded;
  if (!fleet || !(parts.needsManifestAlone || isSound(loaded))) return { status: "refused", diagnostics };
  return await transactIn({ ...loaded, fleet }, request, parts);
}

/** What may lead to another store than the one of the manifest. */
export interface StoreRequest extends PlanRequest {
  /** What agentform.yaml must have to lead there, in words; undefined where it has that. */
  readonly leadsThere?: string | undefined;
}

/** Changes something of a workspace that is loaded already. */
export async function transactIn<Consent, Held, Result extends Ended>(
  loaded: SoundWorkspace,
  request: StoreRequest,
  parts: Omit<Transaction<Consent, Held, Result>, "needsManifestAlone">,
): Promise<Result | Refused> {
  const store = await openStore(loaded.fleet.settings, locationOf(request));
  const scene = { loaded, store, request };
  return await explaining(store, loaded, request, async (): Promise<Result | Refused> => {
    // What is agreed to must not be of a state that this machine alone still has.
    await store.refresh?.();
    const agreement = await parts.agree(scene);
    if (agreement.ok !== true) return located(agreement, loaded);
    return await holding(store, async (): Promise<Result | Refused> => {
      const held = await parts.recover(scene);
      return located(held.ok ? await parts.run(agreement.agreed, held, scene) : held, loaded);
    });
  });
}

function located<Result extends Ended>(end: Result | Refusal, { locate }: LoadedWorkspace): Result | Refused {
  return end.ok === false ? { status: "refused", diagnostics: locate(end.problems) } : end;
}

/** Writes a left journal into the lock, unless a newer lock is known; each read may be another, so `check` is too. */
export async function recoverState(
  { loaded, store, request }: Scene,
  check: (stored: StoredState) => readonly Finding[] = () => [],
): Promise<Checked<KnownState>> {
  const owner = ownerOf(loaded.fleet.settings);
  const areEditsShown = request.readBase !== undefined;
  return await recover(store, owner, randomUUID, async ({ lock }, stored) => {
    const newest = await checkNewest(store, { ...stored, lock, areEditsShown }, owner, request);
    return [...check(stored), ...newest];
  });
}

/** Gives a unique name: 16 random hexadecimal digits. */
export function newName(): string {
  return randomBytes(8).toString("hex");
}

/** Writes the lock that comes after the one that is held. */
export async function writeNext(
  store: WritableState,
  held: Pick<KnownState, "lock" | "version">,
  next: Lock,
): Promise<void> {
  await store.replace(renderLock(nextWrite(held.lock, next, newName())), held.version);
}

/** Begins what nobody has to agree to. */
export async function withoutAsking(): Promise<{ readonly ok: true; readonly agreed: undefined }> {
  return { ok: true, agreed: undefined };
}

/** Runs a function while this process holds a state. */
export async function holding<Result>(store: HoldableState, run: () => Promise<Result>): Promise<Result> {
  await store.acquire();
  let result: Result;
  try {
    result = await run();
  } catch (cause) {
    throw await releasedAfter(cause, store);
  }
  await store.release();
  return result;
}

// A store that is still held must not hide why, nor what was done.
async function releasedAfter(cause: unknown, store: HoldableState): Promise<unknown> {
  try {
    await store.release();
    return cause;
  } catch (other) {
    return new AggregateError([cause, other]);
  }
}

/** Runs a function with a store; errors of the store are returned as diagnostics. */
export async function explaining<Result>(
  store: LockStore,
  loaded: LoadedWorkspace,
  request: StoreRequest,
  run: () => Promise<Result>,
): Promise<Result | Refused> {
  try {
    return await run();
  } catch (thrown) {
    const causes: readonly unknown[] = thrown instanceof AggregateError ? thrown.errors : [thrown];
    const known = causes.filter(isOfStore);
    if (known.length < causes.length) throw causes.find((cause) => !isOfStore(cause));
    const held = known.find((cause) => cause instanceof StoreHeldError);
    const stored = held && (await readIfPossible(store));
    const choice = choiceIn(loaded.fleet?.settings ?? { environment: null }, request);
    const status = known[0] instanceof StoreFailedError ? "refused" : "moved";
    // One by one, because together they would be sorted by their texts.
    const diagnostics = known.flatMap((cause) =>
      loaded.locate([
        storeProblem(cause, store.lockName, choice, { stored, leadsThere: request.leadsThere }),
      ]),
    );
    return { status, diagnostics };
  }
}

function isOfStore(cause: unknown): cause is StoreHeldError | StoreChangedError | StoreFailedError {
  return (
    cause instanceof StoreHeldError || cause instanceof StoreChangedError || cause instanceof StoreFailedError
  );
}
