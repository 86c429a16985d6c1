import type { ApplyInput } from "./apply-input.js";
import { ApplyRun } from "./apply-run.js";
import { rescue } from "./rescue.js";
import { isFound, recordedSettings, keptSettings } from "../plan/plan-summary.js";
import { renderLock, type Lock } from "../state/lock.js";
import { nextWrite } from "../state/lock-writes.js";
import { knownAddresses } from "../state/service-identity.js";
import { State } from "../state/state.js";

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
