import { refused, type Refusal } from "../../core/finding/checked.js";
import { error, hasErrors, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { heldAt } from "../../core/lock-edit/edited.js";
import { editLock, type LockEdit } from "../../core/lock-edit/lock-edit.js";
import type { RepairChange } from "../../core/lock-edit/repair-change.js";
import type { Lock } from "../../core/state/lock.js";
import { idsOf } from "../../core/kind/identity.js";
import { holderName } from "../../core/state/lock-store.js";
import { fieldOrigins, type FieldOrigin } from "../../core/resources/field-origin.js";
import { checkServiceIdentity } from "../../core/state/service-identity.js";
import type { KnownState } from "../../core/state/stored-state.js";
import { serviceIn, toShow, type PlanRequest, type SeenState } from "../request.js";
import { findTakenElsewhere } from "../around/managed-elsewhere.js";
import { withoutHints, readState } from "../read-state.js";
import { recoverState, transact, withoutAsking, writeNext, type Ended, type Scene } from "../transact.js";
import { loadWorkspace, type LoadedWorkspace } from "../../workspace/load-workspace.js";

/** The present state of an environment: its lock, updated with the journal. */
export interface ReadLock {
  readonly lock: Lock;
  /** How messages name the lock. */
  readonly source: string;
  /** Gives the fields of a resource that the workspace now takes from defaults or patches. */
  readonly originsOf: (address: string) => readonly FieldOrigin[];
}

/** The state, or why it cannot be read; a running apply gives a note. */
export interface ReadLockResult extends SeenState<ReadLock> {
  readonly loaded: LoadedWorkspace;
}

/** The result of a repair of the state; `moved` if the store is held. */
export interface RepairResult extends Ended<"done" | "refused" | "moved"> {
  /** What was done; missing if nothing was. */
  readonly changes?: readonly RepairChange[];
}

/** Ends what was done to a state. */
export function done(changes: readonly RepairChange[]) {
  return { status: "done", changes, diagnostics: [] } as const;
}

/** Reads the state; only the manifest must be valid, not the rest of the workspace. */
export async function readLock(request: PlanRequest): Promise<ReadLockResult> {
  const loaded = loadWorkspace(request);
  if (!loaded.fleet) return { loaded, diagnostics: loaded.diagnostics };
  const read = await readState(loaded.fleet, toShow(request));
  if (!read.ok) return { loaded, diagnostics: loaded.locate(read.problems) };
  const { state, source } = read;
  const { fleet } = loaded;
  const originsOf = (address: string) => {
    const resource = fleet.resources.get(address);
    return resource ? fieldOrigins(resource, loaded.lines) : [];
  };
  const diagnostics = loaded.locate(withoutHints(state));
  return { state: { lock: state.lock, source, originsOf }, loaded, diagnostics };
}

/** Edits the lock: holds the store, takes a journal left behind into account, edits, writes. */
export async function repairLock(request: PlanRequest, edits: readonly LockEdit[]): Promise<RepairResult> {
  return await transact(request, {
    needsManifestAlone: true,
    agree: withoutAsking,
    recover: recoverState,
    run: async (_agreed, held: KnownState, scene) => await repair(held, scene, request, edits),
  });
}

/** Edits the lock while it is held, and writes it. */
export async function repair(
  held: KnownState,
  { loaded, store }: Scene,
  request: PlanRequest,
  edits: readonly LockEdit[],
): Promise<RepairResult> {
  const { settings, resources } = loaded.fleet;
  const refuse = (findings: readonly Finding[]): RepairResult => {
    // These include documents without a resource.
    const broken = edits.some(({ type, address }) => type === "resolve" && !resources.has(address));
    const others = broken ? loaded.diagnostics.filter(({ severity }) => severity === "error") : [];
    return { status: "refused", diagnostics: [...others, ...loaded.locate(findings)] };
  };
  // A manifest without the address of its service does not say to which service the IDs belong.
  const isNamed = request.options?.emulator || settings.service.base_url !== undefined;
  const service = isNamed ? serviceIn(settings, request) : undefined;
  // What the lock knows was sent to the service that it names, wherever that is now.
  const isKnown = (address: string) =>
    [held.lock.resources, held.lock.unknown].some(
      (entries) => entries[heldAt(address, resources, entries)] !== undefined,
    );
  const takesOver = edits.some(({ type, address }) => type === "resolve" && !isKnown(address));
  const foreign = service && takesOver ? checkServiceIdentity(held.lock, service, settings.servicePlace) : [];
  if (hasErrors(foreign)) return refuse(foreign);
  const edited = editLock(held.lock, resources, edits);
  if (!edited.ok) return refuse(edited.problems);
  const { lock, isChanged, changes } = edited;
  // Also for a create of unknown outcome, which somebody else's object is not what it made.
  const wanted = edits.flatMap(({ type, address }) => {
    const before = new Set(idsOf(held.lock.resources[heldAt(address, resources, held.lock.resources)] ?? {}));
    const told = type === "resolve" ? idsOf(lock.resources[address] ?? {}) : [];
    return told.filter((id) => !before.has(id)).map((id) => ({ id, address }));
  });
  const taken = await findTakenElsewhere(wanted, settings, request);
  if (hasErrors(taken)) return refuse(taken);
  if (isChanged) {
    const named = lock.service ?? service;
    await writeNext(store, held, { ...lock, ...(named && { service: named }) });
  }
  return done(changes);
}

/** Removes the holder of a store by its nonce, so that the next command can take over what it left. */
export async function unlockStore(request: PlanRequest, nonce: string): Promise<RepairResult> {
  // Whoever mends a seal has to hold the state first.
  const told: PlanRequest = { ...request, sealCheck: "told" };
  return await transact<never, KnownState, RepairResult>(told, {
    needsManifestAlone: true,
    // What takes the hold of another process away holds nothing.
    agree: async (scene) => await unlock(scene, nonce),
    recover: recoverState,
    run: async (agreed) => agreed,
  });
}

async function unlock({ store }: Scene, nonce: string): Promise<RepairResult | Refusal> {
  const { holder } = await store.read();
  if (await store.unlock(nonce)) {
    const whose = holder && { holder: holderName(holder), since: holder.since };
    return done([{ type: "unlocked", lock: store.lockName, ...whose }]);
  }
  const message = say`${bare({ lock: store.lockName })} is not held with the nonce \`${bare({ nonce })}\``;
  const hint = holder ? say`it is held with \`${bare({ found: holder.nonce })}\`` : "it is not held at all";
  return refused([error("lock-held", undefined, message, hint)]);
}
