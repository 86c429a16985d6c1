import type { Action, Plan } from "../generated/plan.js";
import { Agenda } from "./agenda.js";
import { claimOf, runAction } from "./apply-action.js";
import { ApplyJournal } from "./apply-journal.js";
import type { BeginRecord, DoneRecord } from "./journal.js";
import type { Hash } from "./json.js";
import type { AnswerSettings, Kind } from "./kind.js";
import { dependentsIn, renderLock, type Lock, type LockService } from "./lock.js";
import type { LockStore } from "./lock-store.js";
import { recordedSettings } from "./plan-summary.js";
import type { Ending, Running } from "./running.js";
import { knownAddresses } from "./service-identity.js";
import type { Service } from "./service.js";
import { State } from "./state.js";

/** What an apply tells while it runs. */
export type ApplyEvent =
  | { readonly type: "start"; readonly address: string; readonly action: Action["action"] }
  | ({ readonly address: string; readonly action: Action["action"] } & Ending)
  | {
      readonly type: "skipped";
      readonly address: string;
      readonly action: Action["action"];
      readonly because: string;
    }
  /** The last resort: the service did it, and nothing but this event says so. */
  | {
      readonly type: "unsaved";
      readonly address: string;
      readonly action: Action["action"];
      readonly ids: readonly string[];
    };

/** How many actions ended how. */
export interface ApplySummary {
  readonly done: number;
  readonly failed: number;
  /** With those whose outcome was unknown before, and still is. */
  readonly unknown: number;
  readonly skipped: number;
  /** Actions of the plan that nothing could be done for. */
  readonly blocked: number;
}

/** What an apply runs with; the store is held by the caller. */
export interface ApplyInput {
  readonly plan: Plan;
  readonly lock: Lock;
  /** The version of the lock that the plan was made with. */
  readonly version: string | null;
  readonly store: LockStore;
  readonly service: Service;
  readonly serviceIdentity: LockService;
  readonly answers: (kind: Kind) => AnswerSettings;
  /** At most so many requests are under way at once. */
  readonly concurrency: number;
  readonly hash: Hash;
  readonly now: () => string;
  /** Aborted when nothing new shall start; what is in flight finishes. */
  readonly drain: AbortSignal;
  readonly onEvent: (event: ApplyEvent) => void;
}

/** Runs a plan by its graph, then writes the lock; gives the lock and what became of the actions. */
export async function applyPlan(input: ApplyInput): Promise<{ lock: Lock; summary: ApplySummary }> {
  const service = knownAddresses(input.lock.service, input.serviceIdentity);
  const state = new State(input.lock);
  const run = new Run({ ...input, serviceIdentity: service }, state);
  await run.all();
  const { settings, actions } = input.plan;
  const isOfSettings = actions.length === 0 && recordedSettings(input.plan) > 0;
  if (!run.journal.isBegun && !isOfSettings) return { lock: input.lock, summary: run.summary };
  const lock = {
    ...state.lock,
    serial: input.lock.serial + 1,
    service,
    ...(settings && { settings }),
  };
  await input.store.replace(renderLock(lock), input.version);
  return { lock, summary: run.summary };
}

const unknownCreatesAllowed = 3;

class Run {
  readonly journal: ApplyJournal;
  readonly #counts: { -readonly [ending in keyof ApplySummary]: number };
  readonly #agenda: Agenda;
  /** What has begun and has no answer yet, by address. */
  readonly #unanswered = new Map<string, Action>();
  readonly #running: Running;
  #underWay = 0;
  #unknownCreatesInARow = 0;
  /** Why nothing further starts, once that is so. */
  #halted: string | undefined;
  #fault: unknown;
  #finish: () => void = () => undefined;

  constructor(
    private readonly input: ApplyInput,
    state: State,
  ) {
    const { actions, documents = {} } = input.plan;
    const runnable = actions.filter(({ action }) => action !== "unknown" && action !== "blocked");
    const unknown = actions.filter(({ action }) => action === "unknown").length;
    const blocked = actions.length - runnable.length - unknown;
    this.#counts = { done: 0, failed: 0, unknown, skipped: 0, blocked };
    this.#agenda = new Agenda(runnable);
    const onUnsaved = (begin: BeginRecord, done: DoneRecord) => this.#tellUnsaved(begin, done);
    this.journal = new ApplyJournal({ ...input, state, onUnsaved });
    let number = 0;
    const users = dependentsIn(input.lock);
    this.#running = {
      state,
      service: input.service,
      hash: input.hash,
      answers: input.answers,
      now: input.now,
      documents,
      record: (record) => this.journal.record(record),
      answered: (address, ending) => this.#answered(address, ending),
      nextNumber: () => ++number,
      usersOf: (address) => users.get(address) ?? [],
    };
  }

  get summary(): ApplySummary {
    return this.#counts;
  }

  async all(): Promise<void> {
    await this.#move();
    if (this.input.store.needsClaim) await this.#claim();
    await new Promise<void>((resolve) => {
      this.#finish = resolve;
      this.#startReady();
    });
    const why =
      this.#halted ?? (this.input.drain.aborted ? "the apply was interrupted" : "it never became ready");
    for (const action of this.#agenda.rest) this.#skip(action, why);
    if (this.#fault !== undefined) throw this.#fault;
  }

  // Addresses swap and follow one another, so all entries move at once and before anything else.
  async #move(): Promise<void> {
    const moves = this.input.plan.actions.flatMap(({ address: to, from, moved_from }) =>
      from === undefined ? [] : [{ from, to, ...(moved_from && { moved_from }) }],
    );
    if (moves.length > 0) await this.journal.record({ type: "move", moves });
  }

  async #claim(): Promise<void> {
    const time = this.input.now();
    const creates = this.input.plan.actions.flatMap((action) => claimOf(action, time, this.input.hash) ?? []);
    if (creates.length > 0) await this.journal.record({ type: "claim", creates });
  }

  #startReady(): void {
    while (this.#mayStart()) {
      const action = this.#agenda.take();
      if (!action) break;
      this.#start(action);
    }
    if (this.#underWay === 0) this.#finish();
  }

  #mayStart(): boolean {
    if (this.#halted !== undefined || this.input.drain.aborted) return false;
    return this.#unanswered.size < this.input.concurrency;
  }

  #start(action: Action): void {
    const { address } = action;
    if (isCreate(action) && this.#unknownCreatesInARow >= unknownCreatesAllowed) {
      this.#skip(action, `${unknownCreatesAllowed} creates in a row had an unknown outcome`);
      this.#skipDependents(address, `${address} was skipped`);
      return;
    }
    this.#underWay++;
    this.#unanswered.set(address, action);
    this.#tell({ type: "start", address, action: action.action });
    void this.#run(action);
  }

  async #run(action: Action): Promise<void> {
    try {
      this.#end(action, await runAction(action, this.#running));
    } catch (fault) {
      // The journal cannot be trusted any more, so no further request may go out.
      this.#stop(fault, "the state could not be saved");
    }
    this.#underWay--;
    this.#startReady();
  }

  // The next request need not wait until this answer is durable, for nothing that it uses comes from it; so the
  // end of one action and the beginning of the next share one sync.
  #answered(address: string, ending: Ending): void {
    const action = this.#unanswered.get(address);
    if (!action) return;
    this.#unanswered.delete(address);
    if (isCreate(action)) {
      this.#unknownCreatesInARow = ending.type === "unknown" ? this.#unknownCreatesInARow + 1 : 0;
    }
    const isRefused = ending.type !== "done" && (ending.status === 401 || ending.status === 403);
    if (isRefused) this.#halted ??= "the service refused the key";
    this.#startReady();
  }

  #end(action: Action, ending: Ending): void {
    const { address } = action;
    this.#counts[ending.type]++;
    this.#tell({ address, action: action.action, ...ending });
    if (ending.type === "done") this.#agenda.finish(address);
    else {
      const became = ending.type === "unknown" ? "has an unknown outcome" : "failed";
      this.#skipDependents(address, `${address} ${became}`);
    }
    this.#answered(address, ending);
  }

  #skipDependents(address: string, because: string): void {
    for (const action of this.#agenda.abandon(address)) this.#skip(action, because);
  }

  #skip({ address, action }: Action, because: string): void {
    this.#counts.skipped++;
    this.#tell({ type: "skipped", address, action, because });
  }

  // A listener that fails must not take the outcome of what is in flight with it.
  #tell(event: ApplyEvent): void {
    try {
      this.input.onEvent(event);
    } catch (fault) {
      this.#stop(fault, "what happened could not be told");
    }
  }

  #stop(fault: unknown, why: string): void {
    this.#fault ??= fault;
    this.#halted ??= why;
  }

  #tellUnsaved({ operation, address }: BeginRecord, { id, ids }: DoneRecord): void {
    if (operation === "update") return;
    const known = ids ?? (id === undefined ? [] : [id]);
    this.#tell({ type: "unsaved", address, action: operation, ids: known });
  }
}

function isCreate({ action }: Action): boolean {
  return action === "create" || action === "replace";
}
