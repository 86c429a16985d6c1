import type { ApplyInput } from "./apply-input.js";
import { ApplyRun } from "./apply-run.js";
import { isFound, recordedSettings, keptSettings } from "../plan/plan-summary.js";
import { renderLock, type Lock } from "../state/lock.js";
import { nextWrite } from "../state/lock-writes.js";
import { knownAddresses } from "../state/service-identity.js";
import { State } from "../state/state.js";
import {
  JournalLostError,
  StateLostError,
  StoreChangedError,
  StoreFailedError,
} from "../state/lock-store.js";

/** Runs a plan by its graph, then writes the lock, and gives it. */
export async function applyPlan(input: ApplyInput): Promise<Lock> {
  const service = knownAddresses(input.lock.service, input.serviceIdentity);
  const state = new State(input.lock);
  const run = new ApplyRun({ ...input, serviceIdentity: service }, state);
  const { actions } = input.plan;
  const save = async (): Promise<Lock> => {
    const now = { ...state.lock, service, ...keptSettings(input.plan) };
    const lock = nextWrite(input.lock, now, input.write);
    await input.store.replace(renderLock(lock), input.version);
    return lock;
  };
  try {
    await run.all();
    const isOfSettings = actions.every(isFound) && recordedSettings(input.plan) > 0;
    return run.journal.isBegun || isOfSettings ? await save() : input.lock;
  } catch (fault) {
    run.journal.disclaim();
    throw await rescue(fault, { run, state, save, input });
  } finally {
    input.onSummary?.(run.report.summary);
  }
}

/** A run that has ended with a fault, and how its lock is written. */
interface EndedRun {
  readonly run: ApplyRun;
  readonly state: State;
  readonly save: () => Promise<Lock>;
  readonly input: Pick<ApplyInput, "store" | "write">;
}

/** Writes the lock if only the journal has failed, and gives the fault as it is to be told then. */
async function rescue(fault: unknown, ended: EndedRun): Promise<unknown> {
  const { run, input } = ended;
  const { failure } = run.journal;
  const changed = (cause: StoreChangedError) => {
    // Progress that was not pushed yet, or is lost, is nowhere but here.
    const isTold = (input.store.needsClaim || cause instanceof StateLostError) && run.tellMade();
    return isTold || run.journal.hasUnsaved ? new StoreChangedError(cause.said, missingHint) : cause;
  };
  if (fault instanceof StoreChangedError) return changed(fault);
  if (!failure) return fault;
  ended.state.settleHere();
  const saved = await writes(ended);
  // Whoever has the store by now may have taken the journal, too.
  if (saved instanceof StoreChangedError) return changed(saved);
  if (fault !== failure) return fault;
  const isLost = failure instanceof JournalLostError;
  if (saved) return new StoreFailedError(failure.message, isLost ? savedLostHint : savedHint);
  const { hasUnsaved } = run.journal;
  const isInNoFile = isLost && !input.store.needsClaim && (hasUnsaved || run.hasMade);
  const hint = isInNoFile ? lostHint : hasUnsaved ? unsavedHint : failure.hint;
  return new StoreFailedError(failure.message, hint);
}

/** Writes the lock; gives whether it is there, or who else has changed it. */
async function writes({ save, input }: EndedRun): Promise<boolean | StoreChangedError> {
  try {
    await save();
    return true;
  } catch (cause) {
    if (cause instanceof StoreChangedError) return cause;
    // The lock may be written though the journal could not be removed.
    const stored = await input.store.read().catch(() => undefined);
    // The newest of the writes that it names.
    return stored?.lock ? stored.lock.indexOf(`"${input.write}`, 0) !== -1 : false;
  }
}

const savedHint = "all that was done is in the lock now, also what could not be saved at first: plan again";
const savedLostHint =
  "all that was done is in the lock now, also what could not be saved at first; find out who did it, and plan again";
const unsavedHint =
  "correct the cause and plan again; where the plan calls something unknown, an ID that is shown above resolves it";
const lostHint =
  "what was done is in no file: keep the IDs that are shown above, and run `agentform lock resolve --adopt` for each before you plan again";
const missingHint =
  "keep the IDs that are shown above: `agentform lock list` tells which are missing, and `lock resolve` adds them; then plan again";
