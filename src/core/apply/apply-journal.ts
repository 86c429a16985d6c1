import type { Plan } from "../../generated/plan.js";
import type { BeginRecord, DeleteRecord } from "../../generated/journal.js";
import { idsOf } from "../kind/identity.js";
import { keptSettings } from "../plan/plan-summary.js";
import { JournalWriter, type JournalRecord } from "../state/journal.js";
import type { Lock, LockService } from "../state/lock.js";
import { writesOf } from "../state/lock-writes.js";
import { JournalFailedError, StoreChangedError, type WritableState } from "../state/lock-store.js";
import type { State } from "../state/state.js";

/** An object, or the tools of a set, that the service has made. */
export interface Made {
  readonly begin: BeginRecord;
  readonly ids: readonly string[];
}

/** The parts of an apply's journal; the store is held. */
export interface ApplyJournalInput {
  readonly store: WritableState;
  /** The lock that the journal continues. */
  readonly lock: Lock;
  /** The unique name of the write that puts the records into the lock. */
  readonly write: string;
  readonly serviceIdentity: LockService;
  readonly plan: Pick<Plan, "settings" | "options">;
  /** Receives the records once they are durable. */
  readonly state: State;
  /** Aborted right before the process ends: what was made and is not saved yet is told at once. */
  readonly halt?: AbortSignal;
  /** Receives what the service made and the store could not save. */
  readonly onUnsaved: (made: Made) => void;
}

/** The journal of one apply, which begins with its first record. */
export class ApplyJournal {
  readonly #input: ApplyJournalInput;
  readonly #writer: JournalWriter;
  #isBegun = false;
  #failure: JournalFailedError | undefined;
  #hasUnsaved = false;
  readonly #made: Made[] = [];
  /** The addresses of requests whose outcome is durable. */
  readonly #kept = new Set<string>();
  readonly #waiting = new Set<Made>();

  constructor(input: ApplyJournalInput) {
    this.#input = input;
    this.#writer = new JournalWriter();
    input.halt?.addEventListener("abort", () => {
      for (const made of this.#waiting) this.#reportUnsaved(made);
    });
  }

  /** Whether anything was written. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Why nothing more can be saved, if that is so; the store may still be able to write the lock. */
  get failure(): JournalFailedError | undefined {
    return this.#failure;
  }

  /** Whether the service made something that could not be saved. */
  get hasUnsaved(): boolean {
    return this.#hasUnsaved;
  }

  /** What the service has made and this journal has. */
  get made(): readonly Made[] {
    return this.#made;
  }

  /** Whether the outcome of what was sent for an address is durable. */
  hasOutcome(address: string): boolean {
    return this.#kept.has(address);
  }

  /** Appends a record at once; resolves when it is durable and part of the state. */
  async record(record: JournalRecord): Promise<void> {
    const { store, state } = this.#input;
    if (!this.#isBegun) store.append(this.#header());
    this.#isBegun = true;
    store.append(this.#writer.render(record));
    const outcome = isOutcome(record) ? record : undefined;
    const ended = outcome && state.underWay.find(({ n }) => n === outcome.n);
    const made = ended && madeBy(outcome, ended);
    if (made) this.#waiting.add(made);
    try {
      await store.flush();
    } catch (cause) {
      if (made) this.#reportUnsaved(made);
      // Nothing is sent without its beginning on record. If the store can still write, nobody has to wonder.
      const isBeginning = record.type === "begin" || record.type === "delete";
      if (isBeginning && !(cause instanceof StoreChangedError)) this.withdraw(record);
      if (cause instanceof JournalFailedError) {
        this.#failure ??= cause;
        // The lock is written from the state then, so what was answered is part of it.
        if (outcome) state.advance(outcome);
      }
      throw cause;
    } finally {
      if (made) this.#waiting.delete(made);
    }
    state.advance(record);
    if (ended) this.#kept.add(ended.address);
    if (made) this.#made.push(made);
  }

  /** Says of a beginning that nothing was sent, as far as the store can still be written. */
  withdraw({ n }: BeginRecord | DeleteRecord): void {
    const { store, state } = this.#input;
    const message = "nothing was sent, because the store could not be read or written";
    const record = { type: "not-sent", n, message } as const;
    store.append(this.#writer.render(record));
    state.advance(record);
  }

  /** Says that nothing else is sent of what was claimed, as far as the store can still be written. */
  disclaim(): void {
    const { store, state } = this.#input;
    if (!this.#isBegun || !store.needsClaim) return;
    store.append(this.#writer.render({ type: "unsent" }));
    state.advance({ type: "unsent" });
  }

  #reportUnsaved(made: Made): void {
    this.#hasUnsaved = true;
    this.#input.onUnsaved(made);
  }

  #header(): string {
    const { lock, write, serviceIdentity: service, plan } = this.#input;
    const [after] = writesOf(lock);
    const { workspace, environment, lineage, serial } = lock;
    const format = "agentform/journal/v1";
    return this.#writer.render({
      type: "header",
      format,
      workspace,
      environment,
      lineage,
      serial,
      ...(after !== undefined && { after }),
      write,
      service,
      ...keptSettings(plan),
    });
  }
}

/** What an outcome says that the service has made; nothing for an update, which is sent again. */
function madeBy(record: OutcomeRecord, begin: BeginRecord): Made | undefined {
  if (begin.operation === "update") return undefined;
  if (record.type === "done") return { begin, ids: idsOf(record) };
  // What is unknown may have IDs that something else was answered, too.
  return record.type === "unknown" && record.ids ? { begin, ids: record.ids } : undefined;
}

type OutcomeRecord = Extract<JournalRecord, { readonly type: "done" | "rejected" | "not-sent" | "unknown" }>;

function isOutcome(record: JournalRecord): record is OutcomeRecord {
  return ["done", "rejected", "not-sent", "unknown"].includes(record.type);
}
