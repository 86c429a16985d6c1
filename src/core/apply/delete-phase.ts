import { retiredAt } from "../state/known-ids.js";
import type { Action } from "../../generated/plan.js";
import type { ApplyReport, OldEnding } from "./apply-report.js";
import { cause, type Cause, causeText, forgetInstead } from "../plan/cause.js";
import { deleteObject, type DeletedObject } from "./delete-object.js";
import { planDeletions, type Candidate, type Deletion } from "../plan/deletions.js";
import type { OutsideUsers } from "../plan/object-uses.js";
import { runDeletions } from "./run-deletions.js";
import { readListedUsers, type ListedUsers } from "../observation/listed-users.js";
import { defined } from "../state/defined.js";
import { stateOptions } from "../state/state-choice.js";
import { failed, type Ending, type Running } from "./running.js";
import type { Failure } from "../observation/service.js";

/** The end of an apply, at which objects are deleted: nothing that was just updated refers to them any more. */
export interface DeletePhase {
  readonly deletes: readonly Action[];
  /** The replacements that are done, and whose old objects are to be deleted. */
  readonly replaced: readonly Action[];
  readonly running: Running;
  readonly outside: OutsideUsers;
  readonly concurrency: number;
  /** Why nothing further may start, if so. */
  readonly halted: () => Cause | undefined;
  /** Called for each failure with the cause that others may share. */
  readonly onCause: (common: Failure["common"]) => void;
  readonly onEnd: (action: Action, ending: Ending) => void;
  readonly report: ApplyReport;
}

/** Deletes what a plan deletes, and the old objects of its replacements, if nothing may use them any more. */
export async function runDeletePhase(phase: DeletePhase): Promise<void> {
  const { running, halted, concurrency, onCause } = phase;
  const { state, deployment, service } = running;
  const candidates = candidatesOf(phase);
  const why = halted();
  if (why !== undefined) for (const { tell } of candidates) tell({ type: "left", because: why });
  if (why !== undefined || candidates.length === 0) return;
  const objects = candidates.flatMap((candidate) => candidate.objects);
  const listed = await readListedUsers(service, deployment, objects, state.lock);
  const surroundings = { lock: state.lock, listed, outside: phase.outside };
  const { deletions, kept } = planDeletions(candidates, surroundings);
  const byKey = new Map(candidates.map((candidate) => [candidate.key, candidate]));
  for (const [key, because] of kept) byKey.get(key)?.tell({ type: "left", because, isUsed: true });
  await runDeletions(deletions, {
    concurrency,
    halted,
    skip: ({ tell }, because) => tell({ type: "left", because }),
    async run(deletion) {
      deletion.start();
      if (deletion.managed !== undefined) {
        const used_by = running.usersOf(deletion.managed);
        await running.record({ type: "forget", address: deletion.managed, used_by });
      }
      const deleted = await deleteAll(deletion, running, listed);
      const { ending } = deleted;
      onCause(ending.type === "done" ? undefined : ending.common);
      deletion.tell(withHint(ending, running));
      return deleted;
    },
  });
}

/** What became of the objects of a candidate: how their deletes ended, or why they were not tried. */
type DeleteOutcome = Ending | { readonly type: "left"; readonly because: Cause; readonly isUsed?: true };

/** Objects to delete together, and who is told what becomes of them. */
interface ToldCandidate extends Candidate {
  /** Called before the first request. */
  readonly start: () => void;
  readonly tell: (outcome: DeleteOutcome) => void;
}

function candidatesOf(phase: DeletePhase): ToldCandidate[] {
  const { deletes, replaced, running, onEnd } = phase;
  const { lock } = running.state;
  const ofLedger = ({ address }: Action, id: string): boolean =>
    retiredAt(lock, address, id)?.address === address;
  const candidates: ToldCandidate[] = [];
  for (const action of deletes) {
    const { address, ids = [] } = action;
    if (action.retired) {
      for (const each of ofLedgerAlone(action, phase)) {
        const [{ id } = { id: "" }] = each.objects;
        if (ofLedger(action, id)) candidates.push(each);
        else each.tell({ type: "left", because: cause("not-in-ledger", { id }) });
      }
    } else if (lock.resources[address]) {
      const objects = ids.map((id) => ({ id, address }));
      candidates.push({ key: address, objects, managed: address, ...tellerOfManaged(action, phase) });
    } else onEnd(action, failed(cause("not-in-lock", { address })));
  }
  for (const action of replaced) {
    const { address } = action;
    // The new object may have the old ID.
    const old = (action.ids ?? []).filter((id) => ofLedger(action, id));
    const objects = old.map((id) => ({ id, address }));
    if (old.length > 0) candidates.push({ key: address, objects, ...tellerOfOld(action, old, phase) });
  }
  return candidates;
}

// The rest of a set stays in the ledger, like a single object that could not be deleted.
async function deleteAll(
  { objects }: Deletion,
  running: Running,
  listed: ListedUsers,
): Promise<DeletedObject> {
  let recorded = Promise.resolve();
  const endings: Ending[] = [];
  for (const [done, object] of objects.entries()) {
    await recorded;
    const deleted = await deleteObject(object, running, listed);
    const { ending } = deleted;
    recorded = deleted.recorded;
    endings.push(ending);
    if (ending.type === "done") continue;
    if (objects.length === 1) return deleted;
    const message = `${done} of ${objects.length} objects deleted, then: ${ending.message}`;
    return { ending: { ...ending, message }, recorded };
  }
  const ids = objects.map(({ id }) => id);
  return { ending: allDone(endings, ids), recorded };
}

function allDone(
  endings: readonly DeleteOutcome[],
  ids: readonly string[],
): Ending & { readonly type: "done" } {
  const hint = endings.flatMap((each) => (each.type === "done" ? (each.hint ?? []) : [])).at(0);
  return { type: "done", ids, ...defined({ hint }) };
}

type Teller = Pick<ToldCandidate, "start" | "tell">;

function tellerOfManaged(action: Action, { onEnd, report }: DeletePhase): Teller {
  return {
    start: () => report.started(action),
    tell(outcome) {
      if (outcome.type !== "left") return onEnd(action, outcome);
      if (!outcome.isUsed) return report.skipped(action, outcome.because);
      const hint = `it stays managed, and the next apply tries again${forgetInstead}`;
      const message = `it was not deleted: ${causeText(outcome.because)}`;
      onEnd(action, { type: "failed", message, cause: outcome.because, hint });
    },
  };
}

function tellerOfOld(action: Action, old: readonly string[], { report }: DeletePhase): Teller {
  return {
    start: () => undefined,
    tell(outcome) {
      const ids = outcome.type === "left" ? (action.ids ?? []) : old;
      report.oldEnded(action, ids, oldEnding(outcome));
    },
  };
}

/** The objects of the ledger that an action deletes, each alone; the action ends with the last, and of several, each is told as well. */
function ofLedgerAlone(action: Action, { onEnd, report }: DeletePhase): ToldCandidate[] {
  const { address } = action;
  const ids = [...new Set(action.ids)];
  const outcomes: DeleteOutcome[] = [];
  let isStarted = false;
  return ids.map((id) => ({
    key: `${address} ${id}`,
    objects: [{ id, address }],
    start() {
      if (!isStarted) report.started(action);
      isStarted = true;
    },
    tell(outcome) {
      outcomes.push(outcome);
      if (ids.length > 1) report.oldEnded(action, [id], alone(outcome));
      if (outcomes.length < ids.length) return;
      const ending = gathered(outcomes, ids);
      if (ending.type === "left") report.skipped(action, ending.because);
      else onEnd(action, ending);
    },
  }));
}

// How one of several ended is counted with the action that has them.
function alone(outcome: DeleteOutcome): OldEnding {
  const isFailed = outcome.type === "failed" || outcome.type === "unknown";
  return isFailed ? { type: "left", because: outcome.message } : oldEnding(outcome);
}

function oldEnding(outcome: DeleteOutcome): OldEnding {
  if (outcome.type !== "left") return outcome;
  const { because } = outcome;
  return { type: "left", because: causeText(because), cause: because };
}

function gathered(outcomes: readonly DeleteOutcome[], ids: readonly string[]): DeleteOutcome {
  const others = outcomes.flatMap((each) => (each.type === "done" ? [] : [each]));
  const done = outcomes.length - others.length;
  const [worst] = (["unknown", "failed", "left"] as const).flatMap((type) =>
    others.filter((each) => each.type === type),
  );
  if (!worst) return allDone(outcomes, ids);
  if (ids.length === 1 || (worst.type === "left" && done === 0)) return worst;
  const count = `${done} of ${ids.length} objects deleted, but: `;
  if (worst.type !== "left") return { ...worst, message: `${count}${worst.message}` };
  const { because } = worst;
  return { type: "failed", message: `${count}${causeText(because)}`, cause: because };
}

function withHint(ended: Ending, { choice }: Running): Ending {
  if (ended.type === "done") return ended;
  const hint = `it stays among what is left behind, and \`agentform prune${stateOptions(choice)}\` tries again`;
  return { ...ended, hint: ended.hint === undefined ? hint : `${ended.hint}; ${hint}` };
}
