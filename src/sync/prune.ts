import { idKey } from "../core/kind/id.js";
import { retiredIn } from "../core/state/known-ids.js";
import type { Checked } from "../core/finding/checked.js";
import { hasErrors, unframed, type Finding } from "../core/finding/diagnostic.js";
import { kindIn, type Deployment } from "../core/kind/deployment.js";
import { kindNames, kindOfAddress } from "../core/kind/kinds.js";
import { lookAtLeft, type LeftObject } from "../core/observation/left-object.js";
import { readListedUsers } from "../core/observation/listed-users.js";
import { buildPrunePlan, checkPruned, type PruneInput } from "../core/plan/prune-plan.js";
import type { Plan } from "../core/plan/plan.js";
import type { Fleet } from "../core/resources/fleet.js";
import type { Lock } from "../core/state/lock.js";
import type { ServiceObject } from "../core/state/object-users.js";
import { checkServiceIdentity } from "../core/state/service-identity.js";
import { isSound, loadWorkspace, type SoundWorkspace } from "../workspace/load-workspace.js";
import { askService } from "./asking.js";
import { readOutsideUsers } from "./around/outside-users.js";
import type { ChosenPlan, PlanRequest, PlanResult, ServiceAccess } from "./request.js";
import { readState } from "./read-state.js";

/** What to plan to delete, and how the service is asked what uses it. */
export interface PruneRequest extends PlanRequest, ServiceAccess {
  /** The IDs to delete; all of the ledger if there are none. */
  readonly ids: readonly string[];
}

/** Plans to delete what is left behind in the service, as far as nothing may use it. */
export async function planPrune(request: PruneRequest): Promise<PlanResult> {
  const loaded = loadWorkspace(request);
  // A document with errors may be the one that needs an object.
  if (!isSound(loaded)) return { diagnostics: loaded.diagnostics };
  const { plan, diagnostics } = await planPruneWith(loaded, request);
  return { ...(plan && { plan }), diagnostics };
}

/** Plans to delete with the present state, and with what the service lists now. */
export async function planPruneWith(loaded: SoundWorkspace, request: PruneRequest): Promise<ChosenPlan> {
  const { fleet } = loaded;
  const { settings } = fleet;
  const { ids } = request;
  const all = (found: readonly Finding[]) => [...loaded.diagnostics, ...loaded.locate(found)];
  const read = await readState(fleet, request);
  if (!read.ok) return { diagnostics: all(read.problems) };
  const { state, source } = read;
  const { lock } = state;
  const { identity } = await request.target(settings);
  const findings = [
    ...state.findings,
    ...checkPruned(ids, lock),
    ...checkServiceIdentity(lock, identity, settings.servicePlace),
  ];
  if (hasErrors(findings)) return { diagnostics: all(findings) };
  const left = retiredIn(lock).map(([id, { address }]) => ({ id, address }));
  const users = await readOutsideUsers(fleet, lock, identity, left, request);
  if (!users.ok) return { diagnostics: all(users.problems) };
  const input = {
    lock,
    settings,
    source: state.exists ? source : null,
    ids,
    outside: users.outside,
    isEmulated: request.options?.emulator === true,
  };
  let planned = buildPrunePlan(input);
  // Nothing is asked where nothing would be deleted.
  if (planned.plan.actions.length > 0 && canAsk(planned.plan, settings.deployment)) {
    const seen = await readSeen(planned.plan, fleet, lock, request);
    if (!seen.ok) return { diagnostics: all(seen.problems) };
    planned = buildPrunePlan({ ...input, ...seen });
  }
  const diagnostics = all([...findings, ...planned.findings]);
  return { plan: { ...planned.plan, diagnostics: unframed(diagnostics) }, state, diagnostics };
}

function canAsk({ actions }: Plan, deployment: Deployment): boolean {
  const hasReads = actions.some(({ address }) => deployment[kindOfAddress(address).name]?.read);
  return hasReads || Object.values(deployment).some(({ list }) => list);
}

/** Reads what the lists of the service show to use some objects, and what it shows of these. */
async function readSeen(
  { actions }: Plan,
  fleet: Fleet,
  lock: Lock,
  request: PruneRequest,
): Promise<Checked<Required<Pick<PruneInput, "listed" | "left">>>> {
  const { deployment, service: settings } = fleet.settings;
  const deleted = new Set(actions.map(({ address }) => kindOfAddress(address).name));
  const kinds = kindNames
    .filter((name) => deleted.has(name) || deployment[name]?.list)
    .map((name) => kindIn(deployment, name));
  const objects = actions.flatMap(({ address, ids = [] }): ServiceObject[] =>
    ids.map((id) => ({ id, address })),
  );
  return await askService(fleet, lock, kinds, request, async (service) => {
    const look = { service, deployment, fieldNames: settings.field_names ?? {} };
    const listed = await readListedUsers(service, deployment, objects, lock);
    const left = await Promise.all(
      objects.map(async (object): Promise<[string, LeftObject]> => {
        return [idKey(object.address, object.id), await lookAtLeft(object, lock, look)];
      }),
    );
    return { ok: true, listed, left: new Map(left) };
  });
}
