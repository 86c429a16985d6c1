import { refused, type Checked } from "../../core/finding/checked.js";
import { error, hasErrors, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { lockChanges } from "../../core/plan/lock-changes.js";
import type { RepairChange, UnsealedState } from "../../core/lock-edit/repair-change.js";
import { emptyLock, ownerOf, parseLock, type Lock } from "../../core/state/lock.js";
import type { StoredState } from "../../core/state/lock-store.js";
import { assembleState, type KnownState } from "../../core/state/stored-state.js";
import { hash } from "../../digest.js";
import { openStore } from "../../store/open-store.js";
import { checkNewest } from "../around/newest-state.js";
import { locationOf, type PlanRequest } from "../request.js";
import { done } from "./edits.js";
import { recoverState, transact, writeNext, type Agreement, type Ended, type Scene } from "../transact.js";

/** What to seal a state for. */
export interface SealRequest extends PlanRequest {
  /** The key before, as `${env:NAME}`: what is sealed with it is sealed again with the one of the manifest. */
  readonly previous?: string;
  /** The digest of the state that a person agreed to seal. */
  readonly expect?: string;
}

/** How a state was sealed; `shown` if a person has to look at it first. */
export interface SealResult extends Ended<"done" | "shown" | "refused" | "moved"> {
  readonly changes?: readonly RepairChange[];
  readonly unsealed?: UnsealedState;
}

/** Begins the seal of a state, exchanges its key, or seals again what was changed by somebody without the key. */
export async function sealState(asked: SealRequest): Promise<SealResult> {
  const request: SealRequest = { ...asked, sealCheck: "told" };
  return await transact<string, KnownState, SealResult>(request, {
    needsManifestAlone: true,
    agree: async (scene) => await agree(scene, request),
    recover: async (scene) => await recoverAgreed(scene, request),
    async run(_digest, { lock, version }, { loaded, store }) {
      const sealed = rememberSeal(lock, loaded.fleet.settings.lock.seal);
      await writeNext(store, { lock, version }, sealed);
      const serial = lock.serial + 1;
      return done([{ type: "sealed", lock: store.lockName, serial }]);
    },
  });
}

// Else a manifest without the key, as of another branch, would take the seal away and no plan would say so.
function rememberSeal(lock: Lock, seal: string | undefined): Lock {
  const { settings } = lock;
  if (!settings || seal === undefined) return lock;
  return { ...lock, settings: { ...settings, lock: { ...settings.lock, seal } } };
}

// What is sealed was shown: it is of this read, or made of what a read before had.
async function recoverAgreed(scene: Scene, request: SealRequest): Promise<Checked<KnownState>> {
  const { previous, expect } = request;
  const agreed = previous === undefined ? expect : digestOf(await readWithPrevious(scene, request, previous));
  return await recoverState(scene, (stored) => {
    const isAgreed = stored.seal === "right" || digestOf(stored) === agreed;
    return isAgreed ? [] : [explainOther(scene.store.lockName)];
  });
}

async function agree(scene: Scene, request: SealRequest): Promise<Agreement<string, SealResult>> {
  const { loaded, store } = scene;
  const { settings } = loaded.fleet;
  if (settings.lock.seal === undefined) return refused([explainUnset()]);
  await store.refresh?.();
  const stored = await store.read();
  if (stored.seal === "right") return done([{ type: "sealed-already", lock: store.lockName }]);
  const owner = ownerOf(settings);
  const state = assembleState({ ...stored, holder: null }, owner, store);
  if (!state.ok) return state;
  if (!state.exists) {
    const present = { ...stored, lock: state.lock, areEditsShown: false };
    const behind = await checkNewest(store, present, owner, request);
    return hasErrors(behind) ? refused(behind) : done([{ type: "nothing-to-seal", lock: store.lockName }]);
  }
  const digest = digestOf(stored);
  if (request.previous !== undefined) {
    await readWithPrevious(scene, request, request.previous);
    return { ok: true, agreed: digest };
  }
  if (request.expect === digest) return { ok: true, agreed: digest };
  if (request.expect !== undefined) return refused([explainOther(store.lockName)]);
  const last = await store.lastSealed?.();
  const before = typeof last?.lock === "string" ? parseLock(last.lock, store.lockName, owner) : undefined;
  const sealed = before?.ok ? before.lock : undefined;
  const from = sealed ?? emptyLock(owner, state.lock.lineage);
  const unsealed: UnsealedState = {
    // By the serial an older state is known, so nobody seals another one unseen.
    changes: lockChanges(from, state.lock, sealed !== undefined),
    ...(last && sealed && { against: last.where }),
    digest,
  };
  return { status: "shown", unsealed, diagnostics: [] };
}

// Throws unless it is sealed with the key before.
async function readWithPrevious({ loaded }: Scene, request: SealRequest, seal: string): Promise<StoredState> {
  const { settings } = loaded.fleet;
  const location = locationOf({ ...request, sealCheck: "needed" });
  const store = await openStore({ ...settings, lock: { ...settings.lock, seal } }, location);
  return await store.read();
}

function digestOf({ lock, journal }: StoredState): string {
  return hash(JSON.stringify([lock, journal]));
}

function explainUnset(): Finding {
  const message = "the manifest asks for no seal";
  const hint = "write `seal: ${env:STATE_SEAL}` under `spec.lock`, and set that variable to a key";
  return error("seal-key", undefined, message, hint);
}

function explainOther(lockName: string): Finding {
  const message = say`${bare({ lock: lockName })} is not the state that was agreed to`;
  return error("lock-changed", undefined, message, "look again at what differs");
}
