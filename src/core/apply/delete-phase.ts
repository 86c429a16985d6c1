import type { Action } from "../../generated/plan.js";
import { deleteObject, type DeletedObject, type DeleteEnding } from "./delete-object.js";
import {
  planDeletions,
  runDeletions,
  type Candidate,
  type Deletion,
  type Surroundings,
} from "./deletions.js";
import { hasLists, noListedUsers, readListedUsers, type ListedUsers } from "../observation/listed-users.js";
import type { Ending, Running } from "./running.js";
import type { Failure } from "../observation/service.js";

/** The end of an apply, at which objects are deleted: nothing that was just updated refers to them any more. */
export interface DeletePhase {
  /** The deletes of the plan. */
  readonly deletes: readonly Action[];
  /** The replacements that are done, and whose old objects are to be deleted. */
  readonly replaced: readonly Action[];
  readonly running: Running;
  readonly outside: Surroundings["outside"];
  readonly concurrency: number;
  /** Why nothing further may start, if so. */
  readonly halted: () => string | undefined;
  /** Called for each failure with the cause that others may share. */
  readonly onCause: (common: Failure["common"]) => void;
  readonly onStart: (action: Action) => void;
  readonly onEnd: (action: Action, ending: Ending) => void;
  readonly onSkip: (action: Action, because: string) => void;
  /** Called for the old object of a replacement: its end, or why it was left. */
  readonly onOld: (action: Action, ids: readonly string[], ending: Ending | string) => void;
}

/** Deletes what a plan deletes, and the old objects of its replacements, if nothing may use them any more. */
export async function runDeletePhase(phase: DeletePhase): Promise<void> {
  const { running, halted, concurrency, onCause, onStart } = phase;
  const { state, deployment } = running;
  const { candidates, actions } = candidatesOf(phase);
  const end = new Reporter(phase, actions);
  const why = halted();
  if (why !== undefined) for (const { key } of candidates) end.skip(key, why);
  if (why !== undefined || candidates.length === 0) return;
  const listed = await readListed(candidates, running);
  const surroundings = { lock: state.lock, listed, outside: phase.outside };
  const { deletions, kept } = planDeletions(candidates, surroundings);
  for (const [key, reason] of kept) end.keep(key, reason);
  await runDeletions(deletions, {
    concurrency,
    halted,
    skip: ({ key }, because) => end.skip(key, because),
    async run(deletion) {
      const action = actions.get(deletion.key);
      if (deletion.managed !== undefined && action) {
        onStart(action);
        const used_by = running.usersOf(deletion.managed);
        await running.record({ type: "forget", address: deletion.managed, used_by });
      }
      const { ending, recorded } = await deleteAll(deletion, running, listed);
      onCause(ending.type === "done" ? undefined : ending.common);
      end.end(deletion, ending);
      return { isGone: ending.type === "done", recorded };
    },
  });

  async function readListed(all: readonly Candidate[], { service }: Running): Promise<ListedUsers> {
    if (!hasLists(deployment)) return noListedUsers;
    const objects = all.flatMap((candidate) => candidate.objects);
    return await readListedUsers(service, deployment, objects, state.lock);
  }
}

function candidatesOf({ deletes, replaced, running, onEnd }: DeletePhase) {
  const { resources, retired } = running.state.lock;
  const actions = new Map<string, Action>();
  const candidates: Candidate[] = [];
  const add = (action: Action, ids: readonly string[], managed: { readonly managed?: string }): void => {
    const { address } = action;
    actions.set(address, action);
    candidates.push({ key: address, objects: ids.map((id) => ({ id, address })), ...managed });
  };
  for (const action of deletes) {
    const { address, ids = [] } = action;
    if (resources[address]) add(action, ids, { managed: address });
    else onEnd(action, { type: "failed", message: `${address} is not in the lock` });
  }
  for (const action of replaced) {
    // The new object may have the old ID.
    const old = (action.ids ?? []).filter((id) => retired[id]?.address === action.address);
    if (old.length > 0) add(action, old, {});
  }
  return { candidates, actions };
}

// The rest of a set stays in the ledger, like a single object that could not be deleted.
async function deleteAll(
  { objects }: Deletion,
  running: Running,
  listed: ListedUsers,
): Promise<DeletedObject> {
  let recorded = Promise.resolve();
  for (const [done, object] of objects.entries()) {
    await recorded;
    const deleted = await deleteObject(object, running, listed);
    const { ending } = deleted;
    recorded = deleted.recorded;
    if (ending.type === "done") continue;
    if (objects.length === 1) return deleted;
    const message = `${done} of ${objects.length} objects deleted, then: ${ending.message}`;
    return { ending: { ...ending, message }, recorded };
  }
  return { ending: { type: "done" }, recorded };
}

/** Tells how deletes ended, as actions of their own or as parts of replacements. */
class Reporter {
  constructor(
    private readonly phase: DeletePhase,
    private readonly actions: ReadonlyMap<string, Action>,
  ) {}

  skip(key: string, because: string): void {
    this.#tell(key, (action, isOld) => {
      if (isOld) this.phase.onOld(action, action.ids ?? [], because);
      else this.phase.onSkip(action, because);
    });
  }

  keep(key: string, why: string): void {
    this.#tell(key, (action, isOld) => {
      if (isOld) return this.phase.onOld(action, action.ids ?? [], why);
      const hint = "it stays managed, and the next apply tries again";
      this.phase.onEnd(action, { type: "failed", message: `it was not deleted: ${why}`, hint });
    });
  }

  end({ key, objects }: Deletion, ended: DeleteEnding): void {
    const ids = objects.map(({ id }) => id);
    this.#tell(key, (action, isOld) => {
      const ending = endingOf(ids, ended);
      if (isOld) this.phase.onOld(action, ids, ending);
      else this.phase.onEnd(action, ending);
    });
  }

  #tell(key: string, tell: (action: Action, isOld: boolean) => void): void {
    const action = this.actions.get(key);
    if (action) tell(action, action.action !== "delete");
  }
}

function endingOf(ids: readonly string[], ended: DeleteEnding): Ending {
  if (ended.type === "done") return { type: "done", ids };
  const hint = "it stays in the ledger, and `agentform prune` sends the delete again";
  return { ...ended, hint: ended.hint === undefined ? hint : `${ended.hint}; ${hint}` };
}
