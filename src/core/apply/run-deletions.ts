import type { Deletion } from "../plan/deletions.js";
import { Agenda } from "./agenda.js";
import type { DeletedObject } from "./delete-object.js";
import { cause, type Cause } from "../plan/cause.js";
import { unsaved } from "./brake.js";

/** What deletions are run with. */
export interface DeletionRun<Each extends Deletion> {
  /** How many run at once. */
  readonly concurrency: number;
  /** Why nothing further may start, if so. */
  readonly halted: () => Cause | undefined;
  /** Deletes one, and tells how that ended; rejects if the state could not be saved before that. */
  readonly run: (deletion: Each) => Promise<DeletedObject>;
  /** Called for what was not started. */
  readonly skip: (deletion: Each, because: Cause) => void;
}

/** Runs deletions, each after those that it waits for; if one fails, those that wait for it are not started. */
export async function runDeletions<Each extends Deletion>(
  deletions: readonly Each[],
  { concurrency, halted, run, skip }: DeletionRun<Each>,
): Promise<void> {
  const agenda = new Agenda(deletions);
  let fault: { readonly cause: unknown } | undefined;
  const whyStopped = () => (fault ? unsaved : halted());
  const runOne = async (deletion: Each): Promise<void> => {
    const { address } = deletion;
    let deleted: DeletedObject | undefined;
    try {
      deleted = await run(deletion);
      await deleted.recorded;
      if (deleted.ending.type === "done") return agenda.finish(address);
      const because = cause("user-not-deleted", { address });
      for (const other of agenda.abandon(address)) skip(other, because);
    } catch (thrown) {
      fault ??= { cause: thrown };
      if (!deleted) skip(deletion, unsaved);
    }
  };
  const underWay = new Set<Promise<void>>();
  for (;;) {
    while (underWay.size < concurrency && whyStopped() === undefined) {
      const next = agenda.take();
      if (!next) break;
      const running: Promise<void> = runOne(next).finally(() => underWay.delete(running));
      underWay.add(running);
    }
    if (underWay.size === 0) break;
    await Promise.race(underWay);
  }
  // Unless it was stopped, all have ended, or were abandoned.
  const why = whyStopped();
  if (why !== undefined) for (const rest of agenda.rest) skip(rest, why);
  if (fault) throw fault.cause;
}
