import { buildLockStatus, type LockStatus } from "../../core/state/lock-status.js";
import { checkNewest, checkReturned } from "../around/newest-state.js";
import { locationOf, type PlanRequest, type SeenState } from "../request.js";
import { ownerOf } from "../../core/state/lock.js";
import { explaining } from "../transact.js";
import { openStore } from "../../store/open-store.js";
import { loadWorkspace } from "../../workspace/load-workspace.js";

/** Tells where a state is and who holds it; only the manifest must be valid, and a bad lock is a status. */
export async function readStatus(request: PlanRequest): Promise<SeenState<LockStatus>> {
  const loaded = loadWorkspace(request);
  if (!loaded.fleet) return { diagnostics: loaded.diagnostics };
  const { settings } = loaded.fleet;
  const store = await openStore(settings, locationOf({ ...request, sealCheck: "told" }));
  return await explaining(store, loaded, request, async (): Promise<SeenState<LockStatus>> => {
    await store.refresh?.();
    const { lockName, journalName } = store;
    const names = { lockName, journalName, store: request.options?.emulator ? "file" : settings.lock.store };
    const stored = await store.read();
    const owner = ownerOf(settings);
    const { status, findings, lock } = buildLockStatus(stored, owner, names);
    const behind = lock
      ? await checkNewest(store, { ...stored, lock, areEditsShown: false }, owner, request)
      : await checkReturned(store, stored, owner);
    return { state: status, diagnostics: loaded.locate([...findings, ...behind]) };
  });
}
