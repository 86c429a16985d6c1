import type { Diagnostic } from "../../core/finding/diagnostic.js";
import { buildLockStatus, type LockStatus } from "../../core/state/lock-status.js";
import type { PlanRequest } from "../request.js";
import { locationOf, ownerOf } from "../state-access.js";
import { explaining } from "../transact.js";
import { openStore } from "../../store/open-store.js";
import { loadWorkspace } from "../../workspace/load-workspace.js";

/** The status, or why there is none; a lock that cannot be used has a status and errors. */
export interface StatusResult {
  readonly state?: LockStatus;
  readonly diagnostics: readonly Diagnostic[];
}

/** Tells where the state of an environment is and who holds it; only the manifest must be valid. */
export async function readStatus(request: PlanRequest): Promise<StatusResult> {
  const loaded = loadWorkspace(request);
  if (!loaded.fleet) return { diagnostics: loaded.diagnostics };
  const { settings } = loaded.fleet;
  const store = await openStore(settings, locationOf(request));
  return await explaining(store, loaded, async (): Promise<StatusResult> => {
    await store.refresh?.();
    const { lockName, journalName } = store;
    const names = { lockName, journalName, store: request.options?.emulator ? "file" : settings.lock.store };
    const { status, findings } = buildLockStatus(await store.read(), ownerOf(settings), names);
    return { state: status, diagnostics: loaded.locate(findings) };
  });
}
