import { createHash, randomUUID } from "node:crypto";
import { applyPlan, type ApplyEvent, type ApplySummary } from "./core/apply.js";
import { error, hasErrors, type Diagnostic, type Finding } from "./core/diagnostic.js";
import type { Hash, Json } from "./core/json.js";
import type { AnswerSettings, Kind } from "./core/kind.js";
import type { Lock, LockService } from "./core/lock.js";
import {
  StoreChangedError,
  StoreFailedError,
  StoreHeldError,
  type LockStore,
  type StoredState,
} from "./core/lock-store.js";
import type { Settings } from "./core/manifest.js";
import { buildPlan, type Plan } from "./core/plan.js";
import { checkOptions } from "./core/plan-check.js";
import { noOptions, type PlanOptions } from "./core/plan-options.js";
import { rejectionFindings } from "./core/rejection.js";
import { checkOwner, movedEntries } from "./core/saved-plan.js";
import { checkServiceIdentity } from "./core/service-identity.js";
import { assembleState, type KnownState } from "./core/stored-state.js";
import type { Workspace } from "./core/workspace.js";
import { checkAddresses, hostsOf, identityOf, missingSecrets, type Target } from "./service/target.js";
import { openStore } from "./store/open-store.js";
import { storeProblem } from "./store/problem.js";
import { recover, type HeldLock } from "./store/recovery.js";
import { isSound, loadWorkspace, type LoadedWorkspace } from "./workspace/load-workspace.js";

/** Which workspace a command works on. */
export interface WorkspaceOptions {
  /** The folder of `agentform.yaml`. */
  readonly directory: string;
  /** The environment's name; without one the default. */
  readonly environment?: string | null;
  /** Values of variables that win over the manifest's. */
  readonly variables?: ReadonlyMap<string, Json>;
}

/** What shapes a plan. */
export interface PlanRequest extends WorkspaceOptions {
  readonly options?: PlanOptions;
  /** Reads the state from elsewhere than the store, such as a commit. */
  readonly readState?: (settings: Settings) => Promise<StoredState & { readonly source: string }>;
}

/** A plan with all that was found; no plan where the workspace or its state has errors. */
export interface PlanResult {
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/** What an apply needs beyond a plan. */
export interface ApplyRequest extends PlanRequest {
  /** The service, made of the workspace's settings. */
  readonly target: (settings: Settings) => Target;
  /** A saved plan to run in the place of a new one, and what its file is called. */
  readonly saved?: { readonly plan: Plan; readonly file: string };
  /** Refuse any plan but the one with this digest. */
  readonly expect?: string;
  /** How many requests are under way at once; 8 unless given. */
  readonly concurrency?: number;
  readonly allowInsecureHttp?: boolean;
  /** A file of certificates to trust beside the usual ones. */
  readonly caFile?: string;
  readonly userAgent: string;
  /** Asked once with the plan, before anything is held or sent. */
  readonly confirm: (plan: Plan, diagnostics: readonly Diagnostic[]) => Promise<boolean>;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** Aborted to start nothing new; what is in flight finishes. */
  readonly drain?: AbortSignal;
}

/** How an apply ended. */
export interface ApplyResult {
  /**
   * `refused`: the workspace, its state or the surroundings are in order for no apply; `moved`: the plan is
   * another than the expected or confirmed one, or the lock is held.
   */
  readonly status: "applied" | "unchanged" | "refused" | "moved" | "declined";
  readonly plan?: Plan;
  readonly summary?: ApplySummary;
  readonly diagnostics: readonly Diagnostic[];
}

/** SHA-256, as core's digests are made. */
export const hash: Hash = (text) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

/** How a lock names the emulator, whatever its port. */
export const emulatorIdentity: LockService = { base_url: "emulator" };

type SoundWorkspace = LoadedWorkspace & { readonly workspace: Workspace };

/** Finds everything that can be wrong without a lock, in one environment or in all. */
export function validate(options: WorkspaceOptions): readonly Diagnostic[] {
  const first = loadWorkspace(options, hash);
  if (options.environment !== undefined && options.environment !== null) return checked(first);
  const others = first.environments.map((environment) =>
    checked(loadWorkspace({ ...options, environment }, hash)),
  );
  // A manifest whose environments alone name a service has no default environment.
  const own =
    first.workspace?.settings.service.base_url === undefined && others.length > 0 ? [] : checked(first);
  const found = new Map([own, ...others].flat().map((each) => [JSON.stringify(each), each]));
  return [...found.values()];
}

/** Plans: a function of workspace, lock, journal and options, without network and secrets. */
export async function plan(request: PlanRequest): Promise<PlanResult> {
  const loaded = loadWorkspace(request, hash);
  if (!isSound(loaded)) return { diagnostics: loaded.diagnostics };
  const { plan: built, diagnostics } = await planWith(loaded, request);
  return { ...(built && { plan: built }), diagnostics };
}

/** Plans, asks, and runs the plan; state is right after every action. */
export async function apply(request: ApplyRequest): Promise<ApplyResult> {
  const loaded = loadWorkspace(request, hash);
  // A saved plan has its bodies with it, and takes the service alone from the manifest.
  const isUsable = request.saved ? loaded.workspace !== undefined : isSound(loaded);
  if (!isUsable || !loaded.workspace) return { status: "refused", diagnostics: loaded.diagnostics };
  const sound = { ...loaded, workspace: loaded.workspace };
  const { plan: preview, state, diagnostics, isMoved } = await choosePlan(sound, request);
  if (isMoved) return { status: "moved", ...(preview && { plan: preview }), diagnostics };
  if (!preview || !state || hasErrors(diagnostics)) return { status: "refused", diagnostics };
  if (preview.actions.length === 0 && !state.hasJournal)
    return { status: "unchanged", plan: preview, diagnostics };
  const target = request.target(sound.workspace.settings);
  const unmet = loaded.locate(surroundings(preview, state.lock, sound.workspace, target));
  if (hasErrors(unmet)) return { status: "refused", plan: preview, diagnostics: [...diagnostics, ...unmet] };
  if (!(await request.confirm(preview, diagnostics)))
    return { status: "declined", plan: preview, diagnostics };
  const store = openStore(sound.workspace.settings, locationOf(request));
  return await holding(store, loaded, () => runPlan(preview, sound, store, target, request));
}

async function runPlan(
  preview: Plan,
  loaded: SoundWorkspace,
  store: LockStore,
  target: Target,
  request: ApplyRequest,
): Promise<ApplyResult> {
  const { settings } = loaded.workspace;
  const held = await recover(store, ownerOf(settings), randomUUID, hash);
  if (!isHeld(held)) return { status: "refused", diagnostics: loaded.locate(held) };
  const { plan: current, diagnostics, isMoved } = await choosePlan(loaded, request);
  if (isMoved || (current && current.digest !== preview.digest)) {
    return { status: "moved", ...(current && { plan: current }), diagnostics };
  }
  if (!current || hasErrors(diagnostics)) return { status: "refused", diagnostics };
  const { connect } = await import("./service/connect.js");
  const concurrency = request.concurrency ?? 8;
  const service = await connect(target, settings, { ...request, concurrency });
  if (Array.isArray(service)) return { status: "refused", diagnostics: loaded.locate(service) };
  const rejected: Finding[] = [];
  try {
    const { summary } = await applyPlan({
      plan: current,
      lock: held.lock,
      version: held.version,
      store,
      service,
      concurrency,
      hash,
      serviceIdentity: target.identity,
      answers: (kind) => answerSettings(kind, settings),
      now: () => new Date().toISOString(),
      drain: request.drain ?? new AbortController().signal,
      onEvent(event) {
        rejected.push(...rejectionFindings(event, loaded.workspace.resources.get(event.address)));
        request.onEvent?.(event);
      },
    });
    return { status: "applied", plan: current, summary, diagnostics: loaded.locate(rejected) };
  } finally {
    await service.close();
  }
}

interface ChosenPlan extends PlanResult {
  readonly state?: KnownState;
  /** Whether the plan is another than the one that was asked for. */
  readonly isMoved?: boolean;
}

async function choosePlan(loaded: SoundWorkspace, request: ApplyRequest): Promise<ChosenPlan> {
  if (request.saved) return await checkSaved(loaded, request, request.saved);
  const planned = await planWith(loaded, request);
  const isMoved =
    request.expect !== undefined && planned.plan !== undefined && planned.plan.digest !== request.expect;
  return { ...planned, isMoved };
}

async function planWith(loaded: SoundWorkspace, request: PlanRequest): Promise<ChosenPlan> {
  const { workspace } = loaded;
  const { settings } = workspace;
  const { options = noOptions } = request;
  const all = (findings: readonly Finding[]) => [...loaded.diagnostics, ...loaded.locate(findings)];
  const read = await readState(settings, request);
  if (!("state" in read)) return { diagnostics: all(read) };
  const { state, source } = read;
  const findings = [...state.findings, ...checkOptions(options, workspace, state.lock)];
  if (!options.serviceMoved) {
    const identity = options.emulator ? emulatorIdentity : identityOf(settings.service);
    findings.push(...checkServiceIdentity(state.lock, identity, settings.servicePlace));
  }
  if (hasErrors(findings)) return { diagnostics: all(findings) };
  const planned = buildPlan({
    workspace,
    lock: state.lock,
    source: state.exists ? source : null,
    options,
    hash,
  });
  const diagnostics = all([...findings, ...planned.findings]);
  const shown = diagnostics.map(({ frame: _frame, ...rest }) => rest);
  return { plan: { ...planned.plan, diagnostics: shown }, state, diagnostics };
}

async function checkSaved(
  loaded: SoundWorkspace,
  request: ApplyRequest,
  { plan: saved, file }: NonNullable<ApplyRequest["saved"]>,
): Promise<ChosenPlan> {
  const { settings } = loaded.workspace;
  const { options = noOptions } = request;
  const foreign = checkOwner(saved, ownerOf(settings), options.emulator, file);
  if (foreign.length > 0) return { diagnostics: loaded.locate(foreign) };
  const read = await readState(settings, request);
  if (!("state" in read)) return { diagnostics: loaded.locate(read) };
  const { state } = read;
  const moved = movedEntries(saved, state.lock, hash);
  const digestMoved = request.expect !== undefined && request.expect !== saved.digest;
  const findings = [...state.findings];
  if (moved.length > 0) {
    const message = `the lock has moved on since the plan was made: ${moved.join(", ")}`;
    findings.push(error("plan-moved", { file }, message, "plan again and review what is new"));
  }
  if (saved.options.service_moved !== true) {
    const identity = options.emulator ? emulatorIdentity : identityOf(settings.service);
    findings.push(...checkServiceIdentity(state.lock, identity, settings.servicePlace));
  }
  return {
    plan: saved,
    state,
    diagnostics: loaded.locate(findings),
    isMoved: moved.length > 0 || digestMoved,
  };
}

/** Reads the state of an environment without holding its store, and says where it was read. */
export async function readState(
  settings: Settings,
  request: PlanRequest,
): Promise<{ readonly state: KnownState; readonly source: string } | Finding[]> {
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
  const state = assembleState(stored, ownerOf(settings), names, hash);
  return Array.isArray(state) ? state : { state: state as KnownState, source };
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

function checked(loaded: LoadedWorkspace): readonly Diagnostic[] {
  if (!loaded.workspace) return loaded.diagnostics;
  const { settings, resources } = loaded.workspace;
  const hosts = new Set([...resources.values()].map(({ kind }) => kind.create.host));
  return [...loaded.diagnostics, ...loaded.locate(checkAddresses(settings, hosts))];
}

function surroundings(built: Plan, lock: Lock, workspace: Workspace, target: Target): Finding[] {
  const isEmulated = target.identity.base_url === emulatorIdentity.base_url;
  return [
    ...(isEmulated ? [] : checkAddresses(workspace.settings, hostsOf(built))),
    ...missingSecrets(built, lock, workspace, target),
  ];
}

/** Whether a store's lock could be taken over from what was found in the store. */
export function isHeld(held: HeldLock | readonly Finding[]): held is HeldLock {
  return "lock" in held;
}

/** Which store a request means. */
export function locationOf({ directory, options = noOptions }: PlanRequest) {
  return { directory, emulator: options.emulator };
}

/** Whose lock the settings of a workspace ask for. */
export function ownerOf({ name, environment }: Settings) {
  return { workspace: name, environment };
}

function answerSettings({ name }: Kind, { service }: Settings): AnswerSettings {
  const idPointer = service.id_pointers?.[name];
  return {
    documentOrder: service.tool_ids === "document_order",
    ...(idPointer !== undefined && { idPointer }),
  };
}
