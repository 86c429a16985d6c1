import { askService } from "./asking.js";
import { observe, readableObjects } from "../core/observation/observe.js";
import type { Checked } from "../core/finding/checked.js";
import { error, hasErrors, unframed, type Diagnostic, type Finding } from "../core/finding/diagnostic.js";
import { canLook } from "../core/observation/read-object.js";
import { observationFormat, type Observation } from "../core/observation/observation.js";
import { buildDrift } from "../core/plan/drift.js";
import { checkOptions } from "../core/plan/plan-check.js";
import { noOptions } from "../core/plan/plan-options.js";
import type { Fleet } from "../core/resources/fleet.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import type { Settings } from "../core/resources/manifest.js";
import { labelsAt, matcherOf } from "../core/resources/selector.js";
import type { Lock } from "../core/state/lock.js";
import type { PlanRequest, PlanResult, ServiceAccess } from "./request.js";
import { withoutHints, readState } from "./read-state.js";
import type { KnownState } from "../core/state/stored-state.js";
import { loadWorkspace, type SoundWorkspace } from "../workspace/load-workspace.js";

/** Which objects to read, and how to reach the service. */
export interface DriftRequest extends PlanRequest, ServiceAccess {
  readonly onRead?: (done: number, all: number) => void;
}

/** How the service differs from what it was last sent, as a plan to read; and what was found. */
export interface DriftResult extends PlanResult {
  readonly observation?: Observation;
  /** The state that it was compared with. */
  readonly state?: KnownState;
}

const concurrency = 8;

/** Reads every managed object that can be read, and compares it with what it was last sent; writes nothing. */
export async function findDrift(request: DriftRequest): Promise<DriftResult> {
  const loaded = loadWorkspace(request);
  const { fleet } = loaded;
  const { options = noOptions } = request;
  // Only what is selected by labels depends on documents; the manifest says how the service is asked.
  const needed = options.selector.size > 0 ? loaded.diagnostics : ofManifest(loaded.diagnostics);
  if (!fleet || hasErrors(needed)) return { diagnostics: loaded.diagnostics };
  return await driftIn({ ...loaded, fleet }, request);
}

/** Finds the drift of a workspace that is loaded already. */
export async function driftIn(loaded: SoundWorkspace, request: DriftRequest): Promise<DriftResult> {
  const { fleet } = loaded;
  const { options = noOptions } = request;
  const { settings } = fleet;
  const refuse = (findings: readonly Finding[]) => ({ diagnostics: loaded.locate(findings) });
  const read = await readState(fleet, request, { isNewest: true });
  if (!read.ok) return refuse(read.problems);
  const { state, source } = read;
  const unusable = [...checkOptions(options, fleet, state.lock), ...checkOperations(settings)];
  if (hasErrors(unusable)) return refuse(unusable);
  const isChosen = chooser(fleet, state.lock, request);
  const lock = { ...state.lock, resources: only(state.lock.resources, isChosen) };
  const observed = await observeAll(lock, fleet, request);
  if (!observed.ok) return refuse(observed.problems);
  const { observation } = observed;
  const { plan, findings } = buildDrift({
    lock: state.lock,
    source: state.exists ? source : null,
    observation,
    settings,
    isChosen,
  });
  const diagnostics = loaded.locate([...withoutHints(state), ...findings]);
  return { plan: { ...plan, diagnostics: unframed(diagnostics) }, observation, diagnostics, state };
}

function ofManifest(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ file }) => file === manifestFile);
}

async function observeAll(
  lock: Lock,
  fleet: Fleet,
  request: DriftRequest,
): Promise<Checked<{ readonly observation: Observation }>> {
  const { settings } = fleet;
  const {
    deployment,
    service: { field_names: fieldNames = {} },
  } = settings;
  const target = await request.target(settings);
  const readable = new Set(readableObjects(lock, deployment).map(({ kind }) => kind));
  const at = new Date().toISOString();
  const options = { ...request, target: () => target };
  return await askService(fleet, lock, [...readable], options, async (service) => {
    const { onRead } = request;
    const objects = await observe(lock, {
      service,
      deployment,
      fieldNames,
      concurrency,
      ...(onRead && { onRead }),
    });
    const observation: Observation = {
      format: observationFormat,
      at,
      workspace: settings.name,
      environment: settings.environment,
      service: target.identity,
      lock: { lineage: lock.lineage, serial: lock.serial },
      objects,
    };
    return { ok: true, observation };
  });
}

function checkOperations({ deployment, servicePlace }: Settings): Finding[] {
  if (Object.values(deployment).some(canLook)) return [];
  const message =
    "the manifest does not say how the service can be read: `service.operations` has no `read` and no `list`";
  const hint =
    "add them for the kinds that your deployment can read; docs/reference/deployments.md has examples";
  return [error("operation-missing", { ...servicePlace, key: true }, message, hint)];
}

/** Tells the addresses that a request is about. */
export function chooser(
  { resources }: Fleet,
  lock: Lock,
  { options = noOptions }: Pick<PlanRequest, "options">,
): (address: string) => boolean {
  const { target, selector } = options;
  const matches = matcherOf(selector);
  return (address) => {
    if (target.size > 0 && !target.has(address)) return false;
    return selector.size === 0 || matches(labelsAt(address, resources, lock));
  };
}

function only(resources: Lock["resources"], isChosen: (address: string) => boolean): Lock["resources"] {
  return Object.fromEntries(Object.entries(resources).filter(([address]) => isChosen(address)));
}
