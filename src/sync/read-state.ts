import { refused, type Checked } from "../core/finding/checked.js";
import { error, hasErrors, note, type Finding } from "../core/finding/diagnostic.js";
import { bare, say } from "../core/finding/said.js";
import { layEditsOver, lockChanges, type StateChange } from "../core/plan/lock-changes.js";
import type { Fleet } from "../core/resources/fleet.js";
import { lockFileName } from "../core/resources/lock-location.js";
import type { Settings } from "../core/resources/manifest.js";
import { type Lock, type LockOwner, ownerOf } from "../core/state/lock.js";
import {
  StoreFailedError,
  unlessMediumFails,
  type ReadableState,
  type StoredState,
} from "../core/state/lock-store.js";
import { assembleRenamed, ownerInText } from "../core/state/renamed-state.js";
import { assembleState, fileNames, type KnownState } from "../core/state/stored-state.js";
import type { readBaseFrom } from "../workspace/commits/base-states.js";
import { openStore } from "../store/open-store.js";
import { storeProblem } from "../store/problem.js";
import { lockParser } from "../workspace/lock-cache.js";
import { findLockLeftBehind } from "./around/find-lock-left-behind.js";
import { checkNewest, checkReturned } from "./around/newest-state.js";
import { choiceIn, locationOf, type PlanRequest } from "./request.js";
import { keepStateNames } from "../workspace/known-names.js";

/** A state, and where it was read. */
export interface ReadState {
  readonly state: KnownState;
  readonly source: string;
  /** The characters of the lock. */
  readonly lockLength: number;
  /** What the commit had that the change starts from, if one was named: the change cannot take its marks away. */
  readonly base?: Lock;
  /** The edits of the change to the state, if it was compared with that of a commit. */
  readonly changes?: readonly StateChange[];
  /** The differences between the store's state and this one, which the change would make when it is merged. */
  readonly missing?: readonly string[];
}

/** How a state is read. */
export interface ReadingWay {
  /** Whether a state that is missing is looked for elsewhere; not if it is to be moved from there. */
  readonly findsLeftBehind?: boolean;
  /** Whether the medium is asked for what this machine has not seen, for the service will be asked as well. */
  readonly isNewest?: boolean;
}

/** Reads the state of an environment without holding its store; with a base, as a merge into it would make it. */
export async function readState(
  fleet: Pick<Fleet, "settings" | "resources">,
  request: PlanRequest,
  way: ReadingWay = {},
): Promise<Checked<ReadState>> {
  const { settings } = fleet;
  const store = await openStore(settings, locationOf(request));
  const owner = ownerOf(settings);
  try {
    if (way.isNewest) await store.refresh?.();
    const against = await request.readBase?.(settings);
    const stored = await store.read();
    const { version, lock: text } = stored;
    // A commit's state is final, so the state that is compared with it must be complete as well.
    const whole = against ? { ...stored, holder: null } : stored;
    const state = assembleState(whole, owner, store, lockParser(version, request));
    if (state.ok) keepStateNames(state.lock, request);
    const areEditsShown = against !== undefined;
    const behind = state.ok
      ? await checkNewest(store, { ...stored, lock: state.lock, areEditsShown }, owner, request)
      : await checkReturned(store, stored, owner);
    if (!state.ok || hasErrors(behind)) {
      // An apply may have replaced the lock before the copy of it was read, which is then newer.
      const now = against ? undefined : await readIfPossible(store);
      if (now && now.version !== version) return await readState(fleet, request, way);
      return state.ok || behind.length > 0 ? refused(behind) : state;
    }
    if (way.findsLeftBehind !== false && text === null && stored.journal === null) {
      const elsewhere = await findLockLeftBehind(stored, store, fleet, request);
      if (elsewhere.length > 0) return refused(elsewhere);
    }
    const { unread = [], ...marked } = await readMarked(stored, settings, request);
    const read: ReadState = {
      state: { ...state, findings: [...state.findings, ...behind, ...unread] },
      source: store.lockName,
      lockLength: text?.length ?? 0,
    };
    if (against) return compareWith(against, { ...read, ...marked }, stored, owner);
    return { ok: true, ...read, ...marked };
  } catch (cause) {
    if (!(cause instanceof StoreFailedError)) throw cause;
    return refused([storeProblem(cause, store.lockName, choiceIn(settings, request))]);
  }
}

// Whatever the change has made of the lock, its names and its lineage too, the file was that of the same state.
async function readMarked(
  stored: StoredState,
  settings: Settings,
  request: PlanRequest,
): Promise<Pick<ReadState, "base"> & { readonly unread?: readonly Finding[] }> {
  // The emulator has a lock of its own, which no commit has.
  const before = request.options?.emulator ? undefined : await request.readMarks?.(settings);
  if (!before || isSame(stored, before)) return {};
  const name = lockFileName(settings);
  const base = assembleState(before, ownerInText(before.lock) ?? ownerOf(settings), fileNames(name));
  if (!base.ok) return { unread: [unreadBase(name, base.problems[0]?.code)] };
  return base.exists ? { base: base.lock } : {};
}

function unreadBase(lock: string, code: Finding["code"] = "lock-damaged"): Finding {
  const message = say`${bare({ lock })} as it was before the change cannot be read (${bare({ reason: code })}), so the labels and the protection in it do not guard against the change`;
  const hint = "look at what the change does to protected resources, to labels and to the lock";
  return note("base-unread", undefined, message, hint);
}

type Versioned = Pick<StoredState, "version" | "journal">;

function isSame(left: Versioned, right: Versioned): boolean {
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
  // The change may rename the workspace, whose state keeps its lineage.
  const lineages = () => new Set([own.state.lock.lineage]);
  const there = assembleRenamed(base, owner, lineages, names);
  if (!there.ok) return there;
  const common = assembleRenamed(fork, owner, lineages, names);
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
    // Under its present names the state may not have been there.
    ...(there.exists && { base: there.lock }),
    state: { ...own.state, lock, exists: own.state.exists || there.exists },
    changes: lockChanges(there.lock, lock),
    missing: lockChanges(own.state.lock, lock).map(({ part, key }) => key ?? part),
  };
}

/** Reads a store; nothing if its medium fails. */
export async function readIfPossible(store: ReadableState): Promise<StoredState | undefined> {
  return await unlessMediumFails(store.read(), () => undefined);
}

/** Gives the findings of a state without their hints, which are about plans. */
export function withoutHints({ findings }: KnownState): Finding[] {
  return findings.map(({ hint: _hint, ...finding }) => finding);
}
