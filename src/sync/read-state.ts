import { refused, type Checked } from "../core/finding/checked.js";
import { error, hasErrors, type Finding } from "../core/finding/diagnostic.js";
import { type Sentence, bare, say } from "../core/finding/said.js";
import { layEditsOver, lockChanges, type StateChange } from "../core/plan/lock-changes.js";
import type { Settings } from "../core/resources/manifest.js";
import type { LockOwner } from "../core/state/lock.js";
import { parseMove, storeText } from "../core/state/lock-move.js";
import { StoreFailedError, type ReadableState, type StoredState } from "../core/state/lock-store.js";
import { assembleState, type KnownState } from "../core/state/stored-state.js";
import type { readBaseFrom } from "../store/git-history.js";
import { openStore } from "../store/open-store.js";
import { storeProblem } from "../store/problem.js";
import { lockParser } from "../workspace/lock-cache.js";
import { checkNewest } from "./newest-state.js";
import type { PlanRequest } from "./request.js";
import { keepStateNames } from "../workspace/known-names.js";
import { locationOf, ownerOf, readIfPossible } from "./state-access.js";

/** A state, where it was read, and the version of its lock. */
export interface ReadState {
  readonly state: KnownState;
  readonly source: string;
  readonly version: string | null;
  /** The characters of the lock. */
  readonly lockLength: number;
  /** The edits of the change to the state, if it was compared with that of a commit. */
  readonly changes?: readonly StateChange[];
  /** The differences between the store's state and this one, which the change would make when it is merged. */
  readonly missing?: readonly string[];
}

/**
 * Reads the state of an environment without holding its store; with a base, as a merge into it would make it. Where there
 * is none, it is looked for elsewhere, unless it is to be moved from there.
 */
export async function readState(
  settings: Settings,
  request: PlanRequest,
  { looksAround } = { looksAround: true },
): Promise<Checked<ReadState>> {
  const store = await openStore(settings, locationOf(request));
  const owner = ownerOf(settings);
  try {
    const against = await request.readBase?.(settings);
    const stored = await store.read();
    const { version, lock: text } = stored;
    const leftBehind = looksAround ? await findLeftBehind(stored, store, settings, request) : [];
    if (leftBehind.length > 0) return refused(leftBehind);
    // A commit's state is final, so the state that is compared with it must be complete as well.
    const whole = against ? { ...stored, holder: null } : stored;
    const state = assembleState(whole, owner, store, lockParser(version, request));
    if (state.ok) keepStateNames(state.lock, request);
    const areEditsShown = against !== undefined;
    const behind = state.ok
      ? await checkNewest(store, { ...stored, lock: state.lock, areEditsShown }, owner, request)
      : [];
    if (!state.ok || hasErrors(behind)) {
      // An apply may have replaced the lock before the copy of it was read, which is then newer.
      const now = against ? undefined : await readIfPossible(store);
      if (now && now.version !== version) return await readState(settings, request, { looksAround });
      return state.ok ? refused(behind) : state;
    }
    const read: ReadState = {
      state: { ...state, findings: [...state.findings, ...behind] },
      source: store.lockName,
      version,
      lockLength: text?.length ?? 0,
    };
    return against ? compareWith(against, read, stored, owner) : { ok: true, ...read };
  } catch (cause) {
    if (!(cause instanceof StoreFailedError)) throw cause;
    return refused([storeProblem(cause, store.lockName, settings.environment)]);
  }
}

// A manifest that names a store which does not have the state that the files have, or had, would have everything
// created again.
async function findLeftBehind(
  { lock, journal, otherwise }: StoredState,
  { lockName }: ReadableState,
  settings: Settings,
  request: PlanRequest,
): Promise<readonly Finding[]> {
  if (lock !== null || journal !== null) return [];
  if (settings.lock.store === "file" || request.options?.emulator) return [];
  const files = await openStore({ ...settings, lock: { store: "file" } }, locationOf(request));
  const stored = await readIfPossible(files);
  if (!stored || (stored.lock === null && stored.journal === null)) return [];
  const state = assembleState({ ...stored, holder: null }, ownerOf(settings), files);
  const refuse = (message: Sentence, hint: string) => [
    error("lock-left-behind", { file: files.lockName }, message, hint),
  ];
  const end = stored.lock === null ? undefined : parseMove(stored.lock);
  const there = storeText(settings.lock);
  if (end?.to && isOwner(end, settings)) {
    const to = storeText(end.to);
    const message = say`the state has moved from ${bare({ from: files.lockName })} to \`${bare({ to })}\`, and ${bare({ lock: lockName })} has none`;
    return to === there
      ? refuse(
          message,
          `${otherwise ? `${otherwise}; if that does not help, ` : ""}check the address and the credentials: the state is somewhere else, or was lost`,
        )
      : refuse(message, `set \`spec.lock\` to \`${to}\`, and move the state from there`);
  }
  if (!state.ok) return state.problems.some(({ code }) => code === "lock-foreign") ? [] : state.problems;
  const message = say`${bare({ other: files.lockName })} has the state of this environment, and ${bare({ lock: lockName })} has none`;
  return refuse(
    message,
    `remove \`spec.lock\` again, and run \`agentform lock move --to '${there}'\`; if ${files.lockName} is not needed any more, delete it`,
  );
}

function isOwner(end: LockOwner, { name, environment }: Settings): boolean {
  return end.workspace === name && end.environment === environment;
}

function isSame(left: StoredState, right: StoredState): boolean {
  return left.version === right.version && left.journal === right.journal;
}

function compareWith(
  { base, fork, source }: Awaited<ReturnType<typeof readBaseFrom>>,
  own: ReadState,
  stored: StoredState,
  owner: LockOwner,
): Checked<ReadState> {
  if (isSame(stored, base) && isSame(stored, fork)) return { ok: true, ...own, source };
  const names = { lockName: source, journalName: `${source} (journal)` };
  const there = assembleState(base, owner, names);
  if (!there.ok) return there;
  const common = assembleState(fork, owner, names);
  if (!common.ok) return common;
  const merged = layEditsOver(there.lock, common.lock, own.state.lock);
  if (!merged.ok) {
    const message = say`${bare({ lock: own.source })} and ${bare({ other: source })} were both edited at ${bare({ addresses: [...merged.clashes] })}`;
    const hint = "merge that commit, keep what the last apply wrote, and make the edit again";
    return refused([error("lock-conflict", { file: own.source }, message, hint)]);
  }
  const { lock } = merged;
  return {
    ok: true,
    ...own,
    source,
    state: { ...own.state, lock, exists: own.state.exists || there.exists },
    changes: lockChanges(there.lock, lock),
    missing: lockChanges(own.state.lock, lock).map(({ part, key }) => key ?? part),
  };
}
