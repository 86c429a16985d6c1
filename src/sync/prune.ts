import { randomUUID } from "node:crypto";
import {
  hasLists,
  noListedUsers,
  readListedUsers,
  type ListedUsers,
} from "../core/observation/listed-users.js";
import type { Service } from "../core/observation/service.js";
import { hasErrors, type Diagnostic, type Finding } from "../core/finding/diagnostic.js";
import { checkPruned, choosePruning, kindsOf, type Pruning } from "../core/prune/pruning.js";
import type { PruneEvent, PruneSummary } from "../core/prune/prune-event.js";
import { runPruning, type PruneRun } from "../core/prune/run-pruning.js";
import type { Settings } from "../core/resources/manifest.js";
import { namedVariables } from "../core/resources/named-variables.js";
import type { Lock } from "../core/state/lock.js";
import type { LockStore } from "../core/state/lock-store.js";
import type { ServiceObject } from "../core/state/object-users.js";
import { checkServiceIdentity } from "../core/state/service-identity.js";
import { newName } from "./new-name.js";
import { readOutsideUsers } from "./outside-users.js";
import type { SoundWorkspace } from "./plan-choice.js";
import type { PlanRequest } from "./request.js";
import { checkAddresses, hostsOfDelete, missingKey, type Target } from "../service/target.js";
import {
  emulatorIdentity,
  explaining,
  holding,
  isHeld,
  locationOf,
  ownerOf,
  readState,
} from "./state-access.js";
import { openStore } from "../store/open-store.js";
import { recover } from "../store/recovery.js";
import { isSound, loadWorkspace } from "../workspace/load-workspace.js";

/** What to prune, and how the service is reached. */
export interface PruneRequest extends PlanRequest {
  /** The IDs to delete; all of the ledger if there are none. */
  readonly ids: readonly string[];
  /** Makes the service from the workspace's settings. */
  readonly target: (settings: Settings) => Target | Promise<Target>;
  readonly concurrency: number;
  readonly userAgent: string;
  readonly allowInsecureHttp?: boolean;
  /** A file of certificates to trust in addition to the default ones. */
  readonly caFile?: string;
  /** Shown what would be deleted and what stays, before anything is held or sent; gives whether to go on. */
  readonly confirm: (pruning: Pruning, settings: Settings) => Promise<boolean>;
  readonly onEvent?: (event: PruneEvent) => void;
  /** Aborted to start nothing new; what is in flight finishes. */
  readonly drain?: AbortSignal;
}

/** How a prune ended. */
export interface PruneResult {
  /** `refused`: the workspace, its state or the environment does not allow it; `moved`: the lock is held or has changed. */
  readonly status: "done" | "unchanged" | "refused" | "moved" | "declined";
  readonly pruning?: Pruning;
  readonly summary?: PruneSummary;
  readonly diagnostics: readonly Diagnostic[];
}

/** Deletes what is left behind in the service, or the objects that are named, as far as nothing may use them. */
export async function prune(request: PruneRequest): Promise<PruneResult> {
  const loaded = loadWorkspace(request);
  // A document with errors may be the one that needs an object.
  if (!isSound(loaded)) return { status: "refused", diagnostics: loaded.diagnostics };
  const { settings } = loaded.fleet;
  const refuse = (findings: readonly Finding[]): PruneResult => {
    return { status: "refused", diagnostics: loaded.locate(findings) };
  };
  const read = await readState(settings, request);
  if (!("state" in read)) return refuse(read);
  const { state } = read;
  const target = await request.target(settings);
  const findings = [
    ...state.findings,
    ...checkPruned(request.ids, state.lock),
    ...checkServiceIdentity(state.lock, target.identity, settings.servicePlace),
  ];
  if (hasErrors(findings)) return refuse(findings);
  const store = await openStore(settings, locationOf(request));
  return await explaining(store, loaded, async () => {
    const prepared = await prepare(state.lock, loaded, target, request);
    if (!("pruning" in prepared)) return refuse(prepared);
    const { pruning, service } = prepared;
    const diagnostics = loaded.locate(findings);
    try {
      const isConfirmed = await request.confirm(pruning, settings);
      if (!service) return { status: "unchanged", pruning, diagnostics };
      if (!isConfirmed) return { status: "declined", pruning, diagnostics };
      let summary: PruneSummary | undefined;
      const onSummary = (counts: PruneSummary): void => {
        summary = counts;
      };
      const ended = await holding(store, loaded, () =>
        run(pruning, { loaded, store, service, target }, { ...request, onSummary }),
      );
      const all = [...diagnostics, ...ended.diagnostics];
      return { pruning, ...ended, ...(summary && { summary }), diagnostics: all };
    } finally {
      await service?.close();
    }
  });
}

interface Prepared {
  readonly pruning: Pruning;
  /** Missing if there is nothing to delete. */
  readonly service?: Service;
}

/** Decides what to delete; the service is asked only if something is left that may be deleted. */
async function prepare(
  lock: Lock,
  { fleet }: SoundWorkspace,
  target: Target,
  request: PruneRequest,
): Promise<Prepared | Finding[]> {
  const { settings } = fleet;
  const { deployment } = settings;
  const outside = await readOutsideUsers(fleet, lock, target.identity, objectsIn(lock), request);
  if (Array.isArray(outside)) return outside;
  const ids = request.ids.length > 0 ? request.ids : ("all" as const);
  const input = { lock, deployment, ids, outside };
  const pruning = choosePruning({ ...input, listed: noListedUsers });
  if (pruning.deletions.length === 0) return { pruning };
  const hosts = new Set(kindsOf(pruning).flatMap((name) => hostsOfDelete(name, deployment)));
  const isEmulated = target.identity.base_url === emulatorIdentity.base_url;
  const unmet = [...(isEmulated ? [] : checkAddresses(settings, hosts)), ...missingKey(settings, target)];
  if (unmet.length > 0) return unmet;
  const { connect } = await import("../service/connect.js");
  const named = namedVariables(fleet, lock);
  const service = await connect(target, settings, { ...request, named });
  if (Array.isArray(service)) return service;
  const listed = await readListed(pruning, lock, settings, service);
  const chosen = choosePruning({ ...input, listed });
  if (chosen.deletions.length > 0) return { pruning: chosen, service };
  await service.close();
  return { pruning: chosen };
}

async function readListed(
  { deletions }: Pruning,
  lock: Lock,
  { deployment }: Settings,
  service: Service,
): Promise<ListedUsers> {
  if (!hasLists(deployment)) return noListedUsers;
  const objects = deletions.flatMap((deletion) => deletion.objects);
  return await readListedUsers(service, deployment, objects, lock);
}

function objectsIn({ retired }: Lock): ServiceObject[] {
  return Object.entries(retired).map(([id, { address }]) => ({ id, address }));
}

interface Prepare {
  readonly loaded: SoundWorkspace;
  readonly store: LockStore;
  readonly service: Service;
  readonly target: Target;
}

/** Deletes what was shown, as far as it is still left behind and unused now that the store is held. */
async function run(
  shown: Pruning,
  { loaded, store, service, target }: Prepare,
  request: PruneRequest & Pick<PruneRun, "onSummary">,
): Promise<PruneResult> {
  const { fleet } = loaded;
  const { settings } = fleet;
  const refuse = (findings: readonly Finding[]): PruneResult => {
    return { status: "refused", diagnostics: loaded.locate(findings) };
  };
  const held = await recover(store, ownerOf(settings), randomUUID);
  if (!isHeld(held)) return refuse(held);
  const { lock, version } = held;
  const foreign = checkServiceIdentity(lock, target.identity, settings.servicePlace);
  if (foreign.length > 0) return refuse(foreign);
  const outside = await readOutsideUsers(fleet, lock, target.identity, objectsIn(lock), request);
  if (Array.isArray(outside)) return refuse(outside);
  const ids = shown.deletions.map(({ key }) => key);
  // Time has passed since it was shown, and somebody may have begun to use it.
  const listed = await readListed(shown, lock, settings, service);
  const { deployment } = settings;
  const { deletions, rows } = choosePruning({ lock, deployment, ids, outside, listed });
  const left = new Map(rows.map(({ id, kept }) => [id, kept]));
  const going = new Set(deletions.map(({ key }) => key));
  let skipped = 0;
  for (const { key, objects } of shown.deletions) {
    if (going.has(key)) continue;
    const because = left.get(key) ?? "it is not in the ledger any more";
    for (const object of objects) request.onEvent?.({ type: "skipped", ...object, because });
    skipped += objects.length;
  }
  await runPruning({
    deletions,
    lock,
    version,
    write: newName(),
    store,
    service,
    serviceIdentity: target.identity,
    deployment,
    listed,
    concurrency: request.concurrency,
    now: () => new Date().toISOString(),
    drain: request.drain ?? new AbortController().signal,
    onEvent: (event) => request.onEvent?.(event),
    onSummary: (summary) => request.onSummary?.({ ...summary, skipped: summary.skipped + skipped }),
  });
  return { status: "done", diagnostics: [] };
}
