import type { Action, Plan } from "../generated/plan.js";
import { claimOf, runAction, type Ending, type Running } from "./apply-action.js";
import { JournalWriter, type DoneRecord, type JournalHeader, type JournalRecord } from "./journal.js";
import type { Hash } from "./json.js";
import type { AnswerSettings, Kind } from "./kind.js";
import { dependentsIn, renderLock, type Lock, type LockService } from "./lock.js";
import type { LockStore } from "./lock-store.js";
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
  readonly concurrency: number;
  readonly hash: Hash;
  readonly now: () => string;
  /** Aborted when nothing new shall start; what is in flight finishes. */
  readonly drain: AbortSignal;
  readonly onEvent: (event: ApplyEvent) => void;
}

/** Runs a plan by its graph, then writes the lock; gives the lock and what became of the actions. */
export async function applyPlan(input: ApplyInput): Promise<{ lock: Lock; summary: ApplySummary }> {
  const state = new State(input.lock);
  const run = new Run(input, state);
  await run.all();
  const lock = { ...state.lock, serial: input.lock.serial + 1, service: input.serviceIdentity };
  if (run.wrote) await input.store.replace(renderLock(lock), input.version);
  return { lock: run.wrote ? lock : input.lock, summary: run.summary };
}

const unknownCreatesAllowed = 3;

class Run {
  wrote = false;
  readonly #counts = { done: 0, failed: 0, unknown: 0, skipped: 0, blocked: 0 };
  readonly #waiting = new Map<string, { readonly action: Action; open: number }>();
  readonly #dependents = new Map<string, string[]>();
  readonly #ready: Action[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  readonly #writer: JournalWriter;
  readonly #running: Running;
  #unknownCreatesInARow = 0;
  /** Why nothing further starts, once that is so. */
  #halted: string | undefined;
  #fault: unknown;

  constructor(
    private readonly input: ApplyInput,
    private readonly state: State,
  ) {
    this.#writer = new JournalWriter(input.hash);
    let number = 0;
    const users = dependentsIn(input.lock);
    this.#running = {
      state,
      service: input.service,
      hash: input.hash,
      answers: input.answers,
      now: input.now,
      documents: input.plan.documents ?? {},
      record: (record) => this.#record(record),
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
    this.#enqueue();
    for (;;) {
      while (this.#mayStart() && this.#ready.length > 0) this.#start(this.#ready.shift() as Action);
      if (this.#inFlight.size === 0) break;
      await Promise.race(this.#inFlight);
    }
    const why =
      this.#halted ?? (this.input.drain.aborted ? "the apply was interrupted" : "it never became ready");
    for (const { action } of this.#waiting.values()) this.#skip(action, why);
    if (this.#fault !== undefined) throw this.#fault;
  }

  // Addresses swap and follow one another, so all entries move at once and before anything else.
  async #move(): Promise<void> {
    const moves = this.input.plan.actions.flatMap(({ address: to, from, moved_from }) =>
      from === undefined ? [] : [{ from, to, ...(moved_from && { moved_from }) }],
    );
    if (moves.length > 0) await this.#record({ type: "move", moves });
  }

  async #claim(): Promise<void> {
    const time = this.input.now();
    const creates = this.input.plan.actions.flatMap((action) => claimOf(action, time, this.input.hash) ?? []);
    if (creates.length > 0) await this.#record({ type: "claim", creates });
  }

  #enqueue(): void {
    const { actions } = this.input.plan;
    const runnable = actions.filter(({ action }) => action !== "unknown" && action !== "blocked");
    this.#counts.unknown = actions.filter(({ action }) => action === "unknown").length;
    this.#counts.blocked = actions.length - runnable.length - this.#counts.unknown;
    const addresses = new Set(runnable.map(({ address }) => address));
    for (const action of runnable) {
      const before = action.waits_for.filter((address) => addresses.has(address));
      this.#waiting.set(action.address, { action, open: before.length });
      for (const address of before) {
        this.#dependents.set(address, [...(this.#dependents.get(address) ?? []), action.address]);
      }
      if (before.length === 0) this.#ready.push(action);
    }
  }

  #mayStart(): boolean {
    if (this.#halted !== undefined || this.input.drain.aborted) return false;
    return this.#inFlight.size < this.input.concurrency;
  }

  #start(action: Action): void {
    if (!this.#waiting.delete(action.address)) return;
    const isCreate = action.action === "create" || action.action === "replace";
    if (isCreate && this.#unknownCreatesInARow >= unknownCreatesAllowed) {
      return this.#skipWithDependents(
        action,
        `${unknownCreatesAllowed} creates in a row had an unknown outcome`,
      );
    }
    const { address } = action;
    this.#tell({ type: "start", address, action: action.action });
    const flight = runAction(action, this.#running).then(
      (ending) => this.#end(action, ending),
      // The journal cannot be trusted any more, so no further request may go out.
      (fault: unknown) => this.#stop(fault, "the state could not be saved"),
    );
    this.#inFlight.add(flight);
    void flight.then(() => this.#inFlight.delete(flight));
  }

  #end(action: Action, ending: Ending): void {
    this.#counts[ending.type]++;
    this.#tell({ address: action.address, action: action.action, ...ending });
    if (action.action === "create" || action.action === "replace") {
      this.#unknownCreatesInARow = ending.type === "unknown" ? this.#unknownCreatesInARow + 1 : 0;
    }
    if (ending.type === "done") return this.#release(action.address);
    if (ending.status === 401 || ending.status === 403) this.#halted ??= "the service refused the key";
    const became = ending.type === "unknown" ? "has an unknown outcome" : "failed";
    this.#skipDependents(action.address, `${action.address} ${became}`);
  }

  #release(address: string): void {
    for (const dependent of this.#dependents.get(address) ?? []) {
      const waiting = this.#waiting.get(dependent);
      if (waiting && --waiting.open === 0) this.#ready.push(waiting.action);
    }
  }

  #skipWithDependents(action: Action, because: string): void {
    this.#skip(action, because);
    this.#skipDependents(action.address, `${action.address} was skipped`);
  }

  #skipDependents(address: string, because: string): void {
    const stack = [...(this.#dependents.get(address) ?? [])];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const waiting = this.#waiting.get(next);
      if (!waiting) continue;
      this.#waiting.delete(next);
      this.#skip(waiting.action, because);
      stack.push(...(this.#dependents.get(next) ?? []));
    }
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

  async #record(record: JournalRecord): Promise<void> {
    const { store } = this.input;
    if (!this.wrote) store.append(this.#writer.render(this.#header()));
    this.wrote = true;
    store.append(this.#writer.render(record));
    try {
      await store.flush();
    } catch (cause) {
      if (record.type === "done") this.#tellUnsaved(record);
      throw cause;
    }
    this.state.advance(record);
  }

  #tellUnsaved({ n, id, ids = id === undefined ? [] : [id] }: DoneRecord): void {
    const begin = this.state.underWay.find((each) => each.n === n);
    if (!begin || begin.operation === "update") return;
    this.#tell({ type: "unsaved", address: begin.address, action: begin.operation, ids });
  }

  #header(): JournalHeader {
    const { workspace, environment, lineage, serial } = this.input.lock;
    const service = this.input.serviceIdentity;
    return {
      type: "header",
      format: "agentform/journal/v1",
      workspace,
      environment,
      lineage,
      serial,
      service,
    };
  }
}
