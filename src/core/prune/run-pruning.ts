import { Brake } from "../apply/brake.js";
import { ApplyJournal } from "../apply/apply-journal.js";
import { deleteObject } from "../apply/delete-object.js";
import { runDeletions, type Deletion } from "../apply/deletions.js";
import type { ListedUsers } from "../apply/listed-users.js";
import type { Service } from "../apply/service.js";
import type { Hash } from "../../json/json.js";
import type { Deployment } from "../kind/deployment.js";
import { renderLock, type Lock, type LockService } from "../state/lock.js";
import type { LockStore } from "../state/lock-store.js";
import { nextWrite } from "../state/lock-writes.js";
import { knownAddresses } from "../state/service-identity.js";
import { State } from "../state/state.js";
import type { PruneEvent, PruneSummary } from "./prune-event.js";

/** The parts of a prune that runs; the caller holds the store. */
export interface PruneRun {
  readonly deletions: readonly Deletion[];
  readonly lock: Lock;
  readonly version: string | null;
  /** The unique name of the write that this gives the lock. */
  readonly write: string;
  readonly store: LockStore;
  readonly service: Service;
  readonly serviceIdentity: LockService;
  readonly deployment: Deployment;
  readonly listed: ListedUsers;
  readonly concurrency: number;
  readonly hash: Hash;
  readonly now: () => string;
  /** Aborted when nothing new may start; what is in flight finishes. */
  readonly drain: AbortSignal;
  readonly onEvent: (event: PruneEvent) => void;
}

/** Deletes objects of the ledger, each journalled before it is sent, then writes the lock. */
export async function runPruning(input: PruneRun): Promise<PruneSummary> {
  const { lock, store, write, service, deployment, now, onEvent, drain, concurrency } = input;
  const serviceIdentity = knownAddresses(lock.service, input.serviceIdentity);
  const state = new State(lock);
  // A delete that is not saved is sent again, so there is nothing to keep.
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
  await runDeletions(input.deletions, {
    concurrency,
    halted: () => brake.halted ?? (drain.aborted ? "the prune was interrupted" : undefined),
    skip({ objects }, because) {
      counts.skipped += objects.length;
      for (const object of objects) onEvent({ type: "skipped", ...object, because });
    },
    async run({ objects }) {
      for (const object of objects) {
        onEvent({ type: "start", ...object });
        const ending = await deleteObject(object, deleting, input.listed);
        brake.countCause(ending.type === "done" ? undefined : ending.common);
        if (ending.type === "done") {
          counts.deleted++;
          onEvent({ type: "deleted", ...object });
          continue;
        }
        counts[ending.type]++;
        onEvent({ ...ending, ...object });
        return false;
      }
      return true;
    },
  });
  if (journal.isBegun) {
    const next = nextWrite(lock, { ...state.lock, service: serviceIdentity }, write);
    await store.replace(renderLock(next), input.version);
  }
  return counts;
}
