import type { Finding } from "../finding/diagnostic.js";
import type { JsonObject } from "../../json/json.js";
import { parseJournal } from "./journal.js";
import { progressOf, type JournalProgress } from "./journal-progress.js";
import type { Lock, LockOwner } from "./lock.js";
import { parseMove } from "./lock-move.js";
import type { Holder, SealVerdict, StateNames, StoredState } from "./lock-store.js";
import { choiceOf, type StateChoice } from "./state-choice.js";
import { assembleState } from "./stored-state.js";

/** Where a state is, who holds it, and what that process has done. */
export interface LockStatus {
  readonly workspace: string;
  readonly environment: string | null;
  /** How messages name the lock, and the type of its store. */
  readonly source: string;
  readonly store: string;
  /** The lock itself, without a journal; null if nothing was applied, or it cannot be used. */
  readonly lock: {
    readonly lineage: string;
    readonly serial: number;
    readonly resources: number;
    readonly unknown: number;
  } | null;
  /** Whether there is nothing that cannot be used in the place of the lock. */
  readonly isUsable: boolean;
  /** What chooses it among the states of the workspace. */
  readonly choice: StateChoice;
  readonly movedTo?: JsonObject;
  /** Where the state comes from, if a move to this store is not finished. */
  readonly movingFrom?: JsonObject;
  /** What the seal says; missing where the manifest asks for none, or there is nothing to seal. */
  readonly seal?: SealVerdict;
  readonly holder: Holder | null;
  /** What the journal has recorded, if there is one. */
  readonly progress?: JournalProgress;
}

/** Tells from what a store has where the state is and who holds it, finds what cannot be used of it, and gives the lock if it can. */
export function buildLockStatus(
  stored: StoredState,
  owner: LockOwner,
  store: StateNames & Pick<LockStatus, "store">,
): { readonly status: LockStatus; readonly findings: readonly Finding[]; readonly lock?: Lock } {
  const state = assembleState({ ...stored, journal: null }, owner, store);
  const move = stored.lock === null ? undefined : parseMove(stored.lock);
  const journal = stored.journal === null ? undefined : parseJournal(stored.journal, store.journalName);
  const service =
    (journal?.ok ? journal.header?.service : undefined) ?? (state.ok ? state.lock.service : undefined);
  const status: LockStatus = {
    ...owner,
    source: store.lockName,
    store: store.store,
    lock: state.ok && state.exists ? sizeOf(state.lock) : null,
    isUsable: state.ok,
    choice: choiceOf({ environment: owner.environment, service }),
    ...(move?.to && { movedTo: move.to }),
    ...(move?.from && { movingFrom: move.from }),
    ...(stored.seal && { seal: stored.seal }),
    holder: stored.holder,
    ...(journal?.ok && { progress: progressOf(journal) }),
  };
  const findings = [
    ...(state.ok ? state.findings : state.problems),
    ...(journal?.ok === false ? journal.problems : []),
  ];
  return { status, findings, ...(state.ok && { lock: state.lock }) };
}

function sizeOf({ lineage, serial, resources, unknown }: Lock): LockStatus["lock"] {
  return {
    lineage,
    serial,
    resources: Object.keys(resources).length,
    unknown: Object.keys(unknown).length,
  };
}
