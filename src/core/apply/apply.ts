import type { Plan } from "../../generated/plan.js";
import type { ApplySummary } from "./apply-event.js";
import { ApplyRun, type ApplyInput } from "./apply-run.js";
import { recordedSettings } from "../plan/plan-summary.js";
import { renderLock, type Lock } from "../state/lock.js";
import { JournalLostError, StoreFailedError } from "../state/lock-store.js";
import { nextWrite } from "../state/lock-writes.js";
import { knownAddresses } from "../state/service-identity.js";
import { State } from "../state/state.js";

/** Runs a plan by its graph, then writes the lock; gives the lock and the results of the actions. */
export async function applyPlan(input: ApplyInput): Promise<{ lock: Lock; summary: ApplySummary }> {
  if (input.store.reserve) input.store.reserve(growthOf(input.plan));
  const service = knownAddresses(input.lock.service, input.serviceIdentity);
  const state = new State(input.lock);
  const run = new ApplyRun({ ...input, serviceIdentity: service }, state);
  const { settings, actions } = input.plan;
  const save = async (): Promise<Lock> => {
    const now = { ...state.lock, service, ...(settings && { settings }) };
    const lock = nextWrite(input.lock, now, input.write);
    await input.store.replace(renderLock(lock), input.version);
    return lock;
  };
  try {
    await run.all();
  } catch (fault) {
    // A store that has claims has its own copy of the journal.
    if (!(fault instanceof JournalLostError) || input.store.needsClaim) throw fault;
    state.settle();
    const hint = save().then(
      () => savedHint,
      () => lostHint,
    );
    throw new StoreFailedError(fault.message, await hint);
  }
  const isOfSettings = actions.length === 0 && recordedSettings(input.plan) > 0;
  if (!run.journal.isBegun && !isOfSettings) return { lock: input.lock, summary: run.summary };
  return { lock: await save(), summary: run.summary };
}

// The characters of all bodies that the journal and the lock get.
function growthOf({ actions }: Plan): number {
  return actions.reduce((sum, { body }) => sum + (body ? JSON.stringify(body).length : 0), 0);
}

const savedHint =
  "all that was done is in the lock now, also what could not be saved at first; find out who did it, and plan again";
const lostHint =
  "what was done is in no file: keep the IDs that are shown above, and run `agentform lock adopt` for each before you plan again";
