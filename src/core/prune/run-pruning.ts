import type { RunInput } from "../apply/apply-input.js";
import { Brake } from "../apply/brake.js";
import { ApplyJournal } from "../apply/apply-journal.js";
import { deleteObject, type DeleteEnding } from "../apply/delete-object.js";
import { runDeletions, type Deletion } from "../apply/deletions.js";
import type { ListedUsers } from "../observation/listed-users.js";
import { rescue } from "../apply/rescue.js";
import { renderLock } from "../state/lock.js";
import { nextWrite } from "../state/lock-writes.js";
import type { ServiceObject } from "../state/object-users.js";
import { knownAddresses } from "../state/service-identity.js";
import { State } from "../state/state.js";
import type { PruneEvent, PruneSummary } from "./prune-event.js";

/** The parts of a prune that runs. */
export interface PruneRun extends RunInput {
  readonly deletions: readonly Deletion[];
  readonly listed: ListedUsers;
  readonly onEvent: (event: PruneEvent) => void;
  /** Told how the objects ended, also if the prune ends with a fault. */
  readonly onSummary?: (summary: PruneSummary) => void;
}

/** Deletes objects of the ledger, each journalled before it is sent, then writes the lock. */
export async function runPruning(input: PruneRun): Promise<void> {
  const { lock, store, write, service, deployment, now, onEvent, drain, concurrency } = input;
  const serviceIdentity = knownAddresses(lock.service, input.serviceIdentity);
  const state = new State(lock);
  // A delete that is not saved is sent again, so nobody has to keep an ID.
  const onUnsaved = () => undefined;
  const journal = new ApplyJournal({ ...input, serviceIdentity, plan: {}, state, onUnsaved });
  const counts = { deleted: 0, failed: 0, unknown: 0, skipped: 0 };
  const brake = new Brake();
  let number = 0;
  const deleting = {
    service,
    deployment,
    now,
    record: (record: Parameters<typeof journal.record>[0]) => journal.record(record),
    nextNumber: () => ++number,
  };
  const tell = (object: ServiceObject, ending: DeleteEnding): void => {
    brake.countCause(ending.type === "done" ? undefined : ending.common);
    counts[ending.type === "done" ? "deleted" : ending.type]++;
    onEvent(ending.type === "done" ? { type: "deleted", ...object } : { ...ending, ...object });
  };
  const deletions = runDeletions(input.deletions, {
    concurrency,
    halted: () => brake.halted ?? (drain.aborted ? "the prune was interrupted" : undefined),
    skip({ objects }, because) {
      counts.skipped += objects.length;
      for (const object of objects) onEvent({ type: "skipped", ...object, because });
    },
    async run({ objects }) {
      let recorded = Promise.resolve();
      for (const object of objects) {
        await recorded;
        onEvent({ type: "start", ...object });
        const deleted = await deleteObject(object, deleting, input.listed);
        recorded = deleted.recorded;
        tell(object, deleted.ending);
        if (deleted.ending.type !== "done") return { isGone: false, recorded };
      }
      return { isGone: true, recorded };
    },
  });
  const save = async () => {
    const next = nextWrite(lock, { ...state.lock, service: serviceIdentity }, write);
    await store.replace(renderLock(next), input.version);
    return next;
  };
  try {
    await deletions;
  } catch (fault) {
    throw await rescue(fault, { journal, state, save, input, hasMade: false });
  } finally {
    input.onSummary?.(counts);
  }
  if (journal.isBegun) await save();
}
