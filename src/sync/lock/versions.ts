import { error, hasErrors, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import type { Settings } from "../../core/resources/manifest.js";
import { type LockOwner, ownerOf } from "../../core/state/lock.js";
import type { LockHistory, LockStore, LockVersion } from "../../core/state/lock-store.js";
import type { ReadLock } from "./edits.js";
import { choiceIn, locationOf, toShow, type PlanRequest, type SeenState } from "../request.js";
import { withoutHints } from "../read-state.js";
import { assembleState } from "../../core/state/stored-state.js";
import { stateOptions, type StateChoice } from "../../core/state/state-choice.js";
import { explaining } from "../transact.js";
import { openStore } from "../../store/open-store.js";
import { loadWorkspace, type SoundWorkspace } from "../../workspace/load-workspace.js";

/** The versions of a lock, newest first. */
export interface KeptVersions extends LockOwner {
  readonly versions: readonly LockVersion[];
  /** How messages name the lock. */
  readonly source: string;
}

/** Lists the versions of the lock that its store keeps. */
export async function listVersions(request: PlanRequest): Promise<SeenState<KeptVersions>> {
  return await inHistory(request, async (history, store, { fleet: { settings } }) => {
    const versions = newestOfEach(await history.versions());
    return { state: { versions, ...ownerOf(settings), source: store.lockName }, diagnostics: [] };
  });
}

/** Reads the version of the lock with a serial. */
export async function readVersion(request: PlanRequest, serial: number): Promise<SeenState<ReadLock>> {
  return await inHistory(request, async (history, store, { fleet: { settings }, locate }) => {
    const found = await history.at(serial);
    if (found === null)
      return { diagnostics: locate([withoutVersion(store, serial, choiceIn(settings, request))]) };
    const { text: lock, seal } = found;
    const { lockName, journalName } = store;
    const names = { lockName: `serial ${serial} of ${lockName}`, journalName };
    const stored = { lock, journal: null, ...(seal && { seal }) };
    const state = assembleState(stored, ownerOf(settings), names);
    if (!state.ok) return { diagnostics: locate(state.problems) };
    const diagnostics = locate(withoutHints(state));
    if (hasErrors(diagnostics)) return { diagnostics };
    return { state: { lock: state.lock, source: lockName, originsOf: () => [] }, diagnostics };
  });
}

/** Reads from the versions of a lock; only the manifest must be valid. */
async function inHistory<Value>(
  request: PlanRequest,
  read: (history: LockHistory, store: LockStore, loaded: SoundWorkspace) => Promise<SeenState<Value>>,
): Promise<SeenState<Value>> {
  const loaded = loadWorkspace(request);
  const { fleet } = loaded;
  if (!fleet) return { diagnostics: loaded.diagnostics };
  const store = await openStore(fleet.settings, locationOf(toShow(request)));
  const { history } = store;
  if (!history) return { diagnostics: loaded.locate([withoutHistory(store, fleet.settings)]) };
  return await explaining(store, loaded, request, async (): Promise<SeenState<Value>> => {
    await store.refresh?.();
    return await read(history, store, { ...loaded, fleet });
  });
}

// The end of a move writes the lock a second time, without a further serial.
function newestOfEach(versions: readonly LockVersion[]): LockVersion[] {
  const seen = new Set<number>();
  return versions.filter(({ serial }) => !seen.has(serial) && seen.add(serial));
}

function withoutHistory({ lockName }: LockStore, { lock: { store } }: Settings): Finding {
  const message = say`${bare({ lock: lockName })} has no earlier versions that agentform can read`;
  const hint =
    store === "http"
      ? "look at the versions on the server itself; GitLab lists them under Operate > Terraform states"
      : undefined;
  return error("lock-history-none", undefined, message, hint);
}

function withoutVersion({ lockName }: LockStore, serial: number, choice: StateChoice): Finding {
  const hint = `\`agentform lock history${stateOptions(choice)}\` lists the versions`;
  return error(
    "lock-history-none",
    undefined,
    say`${bare({ lock: lockName })} has no version with the serial ${{ serial }}`,
    hint,
  );
}
