import type { Action } from "../../generated/plan.js";
import { Agenda } from "./agenda.js";
import type { ApplyInput } from "./apply-input.js";
import { ApplyReport } from "./apply-report.js";
import { runAction } from "./apply-action.js";
import { ApplyJournal } from "./apply-journal.js";
import { Brake, unsaved } from "./brake.js";
import { claimsOf } from "./claims.js";
import { lackedId, withNewIds } from "./new-ids.js";
import { runDeletePhase } from "./delete-phase.js";
import { isRun } from "../plan/plan-summary.js";
import { KnownIds } from "../state/known-ids.js";
import { kindOfAddress } from "../kind/kinds.js";
import { normal } from "../observation/sameness.js";
import { lazy } from "../../json/once.js";
import { cause, type Cause } from "../plan/cause.js";
import { dependentsIn } from "../state/lock.js";
import { createLook } from "../observation/observe.js";
import type { Ending, Running } from "./running.js";
import type { Failure } from "../observation/service.js";
import type { State } from "../state/state.js";
import { choiceOf } from "../state/state-choice.js";

const interrupted = cause("interrupted", {});

/** Runs the actions of a plan by its graph; what is durable of them is part of the state. */
export class ApplyRun {
  readonly journal: ApplyJournal;
  readonly report: ApplyReport;
  readonly #agenda: Agenda;
  /** The begun actions that have no answer yet, by address. */
  readonly #unanswered = new Map<string, Action>();
  readonly #running: Running;
  readonly #actions: ReadonlyMap<string, Action>;
  /** The actions that were started and have not ended, each with its answer once there is one. */
  readonly #begun = new Map<string, Ending | undefined>();
  readonly #done = new Set<string>();
  /** The addresses in doubt, with the reason. */
  readonly #doubted = new Map<string, string>();
  #underWay = 0;
  readonly #brake = new Brake();
  #fault: unknown;
  #finish: () => void = () => undefined;

  constructor(
    private readonly input: ApplyInput,
    state: State,
  ) {
    const { actions, documents = {} } = input.plan;
    const runnable = actions.filter(isRun).map((action) => withNewIds(action, input.used));
    const onFault = (fault: unknown) => this.#stop(fault, cause("event-unreported", {}));
    this.report = new ApplyReport(actions, input.onEvent, onFault);
    this.#actions = new Map(runnable.map((action) => [action.address, action]));
    this.#agenda = new Agenda(runnable.filter(({ action }) => action !== "delete"));
    this.journal = new ApplyJournal({ ...input, state, onUnsaved: this.report.unsaved });
    let number = 0;
    const users = dependentsIn(input.lock);
    const made = lazy(
      () => new Map(runnable.filter(isCreate).map((action) => [nameKey(action), action.address])),
    );
    this.#running = {
      ...input,
      state,
      choice: choiceOf({ ...input.lock, service: input.serviceIdentity }),
      documents,
      look: createLook(input),
      confirm: async (hasWaited) => await input.store.confirm(hasWaited),
      record: (record) => this.journal.record(record),
      withdraw: (begin) => this.journal.withdraw(begin),
      answered: (address, ending, common) => this.#answered(address, ending, common),
      ids: new KnownIds(state.lock),
      doubt: (address, message) => this.#doubt(address, message),
      isDoubted: (address) => this.#doubted.has(address),
      nextNumber: () => ++number,
      madeAs: (kind, name) => made().get(`${kind.name} ${normal(name)}`),
      usersOf: (address) => users.get(address) ?? [],
    };
  }

  /** Whether the service made or changed objects meanwhile, which somebody may have to find. */
  get hasMade(): boolean {
    return [...this.#done].some((address) => this.#actions.get(address)?.action !== "delete");
  }

  /** Tells what is on record as made, for who lost the store: what it has of that may be less. Gives whether there is any. */
  tellMade(): boolean {
    for (const made of this.journal.made) this.report.unsaved(made);
    return this.journal.made.length > 0;
  }

  async all(): Promise<void> {
    await this.#running.confirm(false);
    await this.#move();
    if (this.input.store.needsClaim) await this.#claim();
    await new Promise<void>((resolve) => {
      this.#finish = resolve;
      this.#startReady();
    });
    // Unless it was halted or interrupted, none is left.
    const why = this.#brake.halted ?? interrupted;
    for (const action of this.#agenda.rest) this.report.skipped(action, why);
    if (this.#fault === undefined) await this.#delete();
    if (this.#fault !== undefined) throw this.#fault;
  }

  // After all else, so that nothing refers any more to what is deleted.
  async #delete(): Promise<void> {
    const actions = [...this.#actions.values()];
    const deletes = actions.filter(
      ({ address, action }) => action === "delete" && !this.#doubted.has(address),
    );
    const replaced = actions.filter(
      ({ address, action, deletes: old = 0 }) => action === "replace" && old > 0 && this.#done.has(address),
    );
    if (deletes.length + replaced.length === 0) return;
    const { drain, concurrency, usedOutside: outside = () => [] } = this.input;
    try {
      await runDeletePhase({
        deletes,
        replaced,
        running: this.#running,
        outside,
        concurrency,
        halted: () => this.#brake.halted ?? (drain.aborted ? interrupted : undefined),
        onCause: (common) => this.#brake.countCause(common),
        onEnd: (action, ending) => this.#end(action, ending),
        report: this.report,
      });
    } catch (fault) {
      this.#stop(fault, unsaved);
    }
  }

  // Addresses may be swapped or form a chain, so all entries move at once and before everything else.
  async #move(): Promise<void> {
    const moves = this.input.plan.actions.flatMap(({ address: to, from, moved_from }) =>
      from === undefined ? [] : [{ from, to, ...(moved_from && { moved_from }) }],
    );
    if (moves.length > 0) await this.journal.record({ type: "move", moves });
  }

  async #claim(): Promise<void> {
    const claims = claimsOf([...this.#actions.values()], this.#running.state.lock, this.input.now());
    await Promise.all(claims.map((claim) => this.journal.record(claim)));
  }

  #startReady(): void {
    const { drain, concurrency } = this.input;
    while (this.#brake.halted === undefined && !drain.aborted && this.#unanswered.size < concurrency) {
      const action = this.#agenda.take();
      if (!action) break;
      this.#start(action);
    }
    if (this.#underWay === 0) this.#finish();
  }

  #start(action: Action): void {
    const { address } = action;
    if (this.#doubted.has(address)) {
      const doubted = cause("dependency-unknown", { address });
      this.report.skipped(action, doubted);
      this.#skipDependents(address, doubted);
      return;
    }
    const countLeft = () => [action, ...this.#agenda.rest].filter(isCreate).length;
    const refusal =
      lackedId(action, this.input.used) ??
      (isCreate(action) ? this.#brake.refuseCreate(countLeft) : undefined);
    if (refusal !== undefined) {
      this.report.skipped(action, refusal);
      this.#skipDependents(address, cause("dependency-skipped", { address }));
      return;
    }
    this.#underWay++;
    this.#unanswered.set(address, action);
    this.#begun.set(address, undefined);
    this.report.started(action);
    void this.#run(action);
  }

  async #run(action: Action): Promise<void> {
    try {
      this.#end(action, await runAction(action, this.#running));
    } catch (fault) {
      // The journal cannot be trusted any more, so no further request may be sent.
      this.#stop(fault, unsaved);
      this.#endUnsaved(action);
    }
    this.#underWay--;
    this.#startReady();
  }

  // The next request uses nothing of this answer, so both share one sync.
  #answered(address: string, ending: Ending, common?: Failure["common"]): void {
    const action = this.#unanswered.get(address);
    if (!action) return;
    this.#unanswered.delete(address);
    if (this.#begun.has(address)) this.#begun.set(address, ending);
    if (isCreate(action)) this.#brake.countCreate(ending.type === "unknown");
    this.#brake.countCause(common);
    this.#startReady();
  }

  #end(action: Action, ended: Ending): void {
    const { address } = action;
    this.#begun.delete(address);
    const doubt = this.#doubted.get(address);
    const ending: Ending =
      ended.type === "done" && doubt !== undefined ? { type: "unknown", message: doubt } : ended;
    this.report.ended(action, ending);
    if (ending.type === "done") {
      this.#done.add(address);
      this.#agenda.finish(address);
    } else {
      const became = ending.type === "unknown" ? "dependency-unknown" : "dependency-failed";
      this.#skipDependents(address, cause(became, { address }));
    }
    this.#answered(address, ending);
  }

  #endUnsaved(action: Action): void {
    const { address } = action;
    const ending = this.#begun.get(address);
    this.#begun.delete(address);
    this.#unanswered.delete(address);
    // What comes after the outcome, such as what was read then, is no part of it.
    if (ending && this.journal.hasOutcome(address)) this.#end(action, ending);
    else if (ending) this.report.endedUnsaved(action, ending);
    // Without an answer, it was not sent.
    else this.report.skipped(action, unsaved);
  }

  #doubt(address: string, message: string): void {
    const action = this.#actions.get(address);
    const underWay = this.#unanswered.get(address);
    const isBegun = this.#begun.has(address);
    const isManaged = this.#done.has(address) || this.#running.state.lock.resources[address] !== undefined;
    // A resource that is being created gets a new ID soon, and a retired one is used by nothing.
    if (this.#doubted.has(address) || (underWay && isCreate(underWay))) return;
    if (!isBegun && (!isManaged || action?.action === "forget")) return;
    this.#doubted.set(address, message);
    this.#skipDependents(address, cause("dependency-unknown", { address }));
    // Its own end reports this, once it is recorded.
    if (isBegun) return;
    const wasDone = this.#done.delete(address);
    this.report.doubted({ address, action: action?.action ?? "unknown", message }, wasDone);
  }

  #skipDependents(address: string, because: Cause): void {
    for (const action of this.#agenda.abandon(address)) this.report.skipped(action, because);
  }

  #stop(fault: unknown, why: Cause): void {
    this.#fault ??= fault;
    this.#brake.halt(why);
  }
}

function isCreate({ action }: Action): boolean {
  return action === "create" || action === "replace";
}

function nameKey({ address, body }: Action): string {
  const { name } = body ?? {};
  return `${kindOfAddress(address).name} ${typeof name === "string" ? normal(name) : ""}`;
}
