import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { applyPlan, type ApplyEvent, type ApplySummary } from "./core/apply.js";
import { hasErrors, type Diagnostic, type Finding } from "./core/diagnostic.js";
import type { Hash, Json } from "./core/json.js";
import type { AnswerSettings, Kind } from "./core/kind.js";
import { renderLock, type Lock, type LockService } from "./core/lock.js";
import { StoreChangedError, StoreFailedError, StoreHeldError, type LockStore } from "./core/lock-store.js";
import { checkOptions, buildPlan, type Plan } from "./core/plan.js";
import { noOptions, type PlanOptions } from "./core/plan-options.js";
import { checkServiceIdentity } from "./core/service-identity.js";
import { assembleState, type KnownState } from "./core/stored-state.js";
import type { Settings } from "./core/manifest.js";
import type { Workspace } from "./core/workspace.js";
import { checkAddresses, identityOf, missingSecrets, type Target } from "./service/target.js";
import { createFileStore } from "./store/file-store.js";
import { storeProblem } from "./store/problem.js";
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
  /** Whether the emulator's own lock is meant. */
  readonly emulator?: boolean;
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
  /** Refuse any plan but the one with this digest. */
  readonly expect?: string;
  readonly concurrency?: number;
  readonly allowInsecureHttp?: boolean;
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

/** Finds everything that can be wrong without a lock, in one environment or in all. */
export function validate(options: WorkspaceOptions): readonly Diagnostic[] {
  const first = loadWorkspace(options, hash);
  if (options.environment !== undefined && options.environment !== null) return checked(first);
  const others = first.environments.map((environment) => checked(loadWorkspace({ ...options, environment }, hash)));
  // A manifest whose environments alone name a service has no default environment.
  const own = first.workspace?.settings.service.base_url === undefined && others.length > 0 ? [] : checked(first);
  const found = new Map([own, ...others].flat().map((each) => [JSON.stringify(each), each]));
  return [...found.values()];
}

/** Plans: a function of workspace, lock, journal and options, without network and secrets. */
export async function plan(request: PlanRequest): Promise<PlanResult> {
  const loaded = loadWorkspace(request, hash);
  if (!isSound(loaded)) return { diagnostics: loaded.diagnostics };
  const store = openStore(loaded.workspace.settings, request);
  const { plan: built, diagnostics } = await planWith(loaded, store, request);
  return { ...(built && { plan: built }), diagnostics };
}

/** Plans, asks, and runs the plan; state is right after every action. */
export async function apply(request: ApplyRequest): Promise<ApplyResult> {
  const loaded = loadWorkspace(request, hash);
  if (!isSound(loaded)) return { status: "refused", diagnostics: loaded.diagnostics };
  const store = openStore(loaded.workspace.settings, request);
  const { plan: preview, state, diagnostics } = await planWith(loaded, store, request);
  if (!preview || !state || hasErrors(diagnostics)) return { status: "refused", diagnostics };
  if (request.expect !== undefined && request.expect !== preview.digest) {
    return { status: "moved", plan: preview, diagnostics };
  }
  if (preview.actions.length === 0 && !state.hasJournal) return { status: "unchanged", plan: preview, diagnostics };
  const target = request.target(loaded.workspace.settings);
  const unmet = loaded.locate(surroundings(preview, state.lock, loaded.workspace, target));
  if (hasErrors(unmet)) return { status: "refused", plan: preview, diagnostics: [...diagnostics, ...unmet] };
  if (!(await request.confirm(preview, diagnostics))) return { status: "declined", plan: preview, diagnostics };
  return await holding(store, loaded, () => runPlan(preview, loaded, store, target, request));
}

async function runPlan(
  preview: Plan,
  loaded: LoadedWorkspace & { readonly workspace: Workspace },
  store: LockStore,
  target: Target,
  request: ApplyRequest,
): Promise<ApplyResult> {
  const { settings } = loaded.workspace;
  const held = await recover(settings, store);
  if (Array.isArray(held)) return { status: "refused", diagnostics: loaded.locate(held) };
  const { plan: current, diagnostics } = await planWith(loaded, store, request);
  if (!current || hasErrors(diagnostics)) return { status: "refused", diagnostics };
  if (current.digest !== preview.digest) return { status: "moved", plan: current, diagnostics };
  const { connect } = await import("./service/connect.js");
  const concurrency = request.concurrency ?? 8;
  const service = await connect(target, settings, { ...request, concurrency });
  if (Array.isArray(service)) return { status: "refused", diagnostics: loaded.locate(service) };
  try {
    const { summary } = await applyPlan({
      ...{ plan: current, lock: held.lock, version: held.version, store, service, concurrency, hash },
      serviceIdentity: target.identity,
      answers: (kind) => answerSettings(kind, settings),
      now: () => new Date().toISOString(),
      drain: request.drain ?? new AbortController().signal,
      onEvent: request.onEvent ?? (() => undefined),
    });
    return { status: "applied", plan: current, summary, diagnostics };
  } finally {
    await service.close();
  }
}

interface PlanAndState extends PlanResult {
  readonly state?: KnownState;
}

async function planWith(
  loaded: LoadedWorkspace & { readonly workspace: Workspace },
  store: LockStore,
  { options = noOptions, emulator = false }: PlanRequest,
): Promise<PlanAndState> {
  const { workspace } = loaded;
  const { settings } = workspace;
  const state = assembleState(await store.read(), ownerOf(settings), store, hash);
  const refuse = (findings: readonly Finding[]) => {
    return { diagnostics: [...loaded.diagnostics, ...loaded.locate(findings)] };
  };
  if (Array.isArray(state)) return refuse(state);
  const findings = [
    ...state.findings,
    ...checkOptions(options, workspace),
    ...checkServiceIdentity(state.lock, emulatedOr(identityOf(settings.service), emulator), settings.servicePlace),
  ];
  if (hasErrors(findings)) return refuse(findings);
  const source = state.exists ? store.lockName : null;
  const planned = buildPlan({ workspace, lock: state.lock, source, options, hash });
  const { diagnostics } = refuse([...findings, ...planned.findings]);
  const shown = diagnostics.map(({ frame: _frame, ...rest }) => rest);
  return { plan: { ...planned.plan, diagnostics: shown }, state, diagnostics };
}

// Writes what an apply that was cut off left in its journal into the lock, now that nobody else can.
async function recover(
  settings: Settings,
  store: LockStore,
): Promise<{ readonly lock: Lock; readonly version: string | null } | Finding[]> {
  const stored = await store.read();
  const state = assembleState({ ...stored, holder: null }, ownerOf(settings), store, hash);
  if (Array.isArray(state)) return state;
  const lock = state.lock.lineage === "" ? { ...state.lock, lineage: randomUUID() } : state.lock;
  if (!state.hasJournal) return { lock, version: stored.version };
  const merged = { ...lock, serial: lock.serial + 1 };
  return { lock: merged, version: await store.replace(renderLock(merged), stored.version) };
}

async function holding(
  store: LockStore,
  loaded: LoadedWorkspace,
  run: () => Promise<ApplyResult>,
): Promise<ApplyResult> {
  try {
    await store.acquire();
  } catch (cause) {
    return stopped(cause, store, loaded);
  }
  try {
    return await run();
  } catch (cause) {
    return stopped(cause, store, loaded);
  } finally {
    await store.release();
  }
}

function stopped(cause: unknown, store: LockStore, loaded: LoadedWorkspace): ApplyResult {
  const known =
    cause instanceof StoreHeldError || cause instanceof StoreChangedError || cause instanceof StoreFailedError;
  if (!known) throw cause;
  const diagnostics = loaded.locate([storeProblem(cause, store.lockName)]);
  return { status: cause instanceof StoreFailedError ? "refused" : "moved", diagnostics };
}

function checked(loaded: LoadedWorkspace): readonly Diagnostic[] {
  if (!loaded.workspace) return loaded.diagnostics;
  const { settings, resources } = loaded.workspace;
  const hosts = new Set([...resources.values()].map(({ kind }) => kind.create.host));
  return [...loaded.diagnostics, ...loaded.locate(checkAddresses(settings, hosts))];
}

function surroundings(built: Plan, lock: Lock, workspace: Workspace, target: Target): Finding[] {
  const kinds = built.actions.map(({ address }) => workspace.resources.get(address)?.kind.create.host);
  const hosts = new Set(kinds.filter((host) => host !== undefined));
  const emulated = target.identity.base_url === emulatorIdentity.base_url;
  return [
    ...(emulated ? [] : checkAddresses(workspace.settings, hosts)),
    ...missingSecrets(built, lock, workspace, target),
  ];
}

/** How a lock names the emulator, whatever its port. */
export const emulatorIdentity: LockService = { base_url: "emulator" };

function emulatedOr(identity: LockService, emulator: boolean): LockService {
  return emulator ? emulatorIdentity : identity;
}

function openStore({ environment }: Settings, { directory, emulator }: PlanRequest) {
  const name = environment ?? "default";
  const local = join(directory, ".agentform");
  const file = environment === null ? "agentform.lock" : `agentform.${environment}.lock`;
  const lockName = emulator ? `.agentform/emulator/${name}/agentform.lock` : file;
  return createFileStore({
    lockFile: join(directory, lockName),
    holderFile: join(local, emulator ? `emulator/${name}/holder` : `${name}.holder`),
    lockName,
    journalName: `${lockName}.journal`,
  });
}

function ownerOf({ name, environment }: Settings) {
  return { workspace: name, environment };
}

function answerSettings({ name }: Kind, { service }: Settings): AnswerSettings {
  const idPointer = service.id_pointers?.[name];
  return { documentOrder: service.tool_ids === "document_order", ...(idPointer !== undefined && { idPointer }) };
}
