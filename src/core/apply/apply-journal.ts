import type { Plan } from "../../generated/plan.js";
import { JournalWriter, type BeginRecord, type DoneRecord, type JournalRecord } from "../state/journal.js";
import type { Hash } from "../../json/json.js";
import type { Lock, LockService } from "../state/lock.js";
import { writesOf } from "../state/lock-writes.js";
import { JournalLostError, type LockStore } from "../state/lock-store.js";
import type { State } from "../state/state.js";

/** The parts of an apply's journal; the store is held. */
export interface ApplyJournalInput {
  readonly store: LockStore;
  /** The lock that the journal continues. */
  readonly lock: Lock;
  /** The name of the write that puts the records into the lock. */
  readonly write: string;
  readonly serviceIdentity: LockService;
  readonly plan: Pick<Plan, "settings">;
  readonly hash: Hash;
  /** Receives the records once they are durable. */
  readonly state: State;
  /** Receives what the service did but the store could not save. */
  readonly onUnsaved: (begin: BeginRecord, done: DoneRecord) => void;
}

/** The journal of one apply, which begins with its first record. */
export class ApplyJournal {
  readonly #input: ApplyJournalInput;
  readonly #writer: JournalWriter;
  #isBegun = false;

  constructor(input: ApplyJournalInput) {
    this.#input = input;
    this.#writer = new JournalWriter(input.hash);
  }

  /** Whether anything was written. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Appends a record at once; resolves when it is durable and part of the state. */
  async record(record: JournalRecord): Promise<void> {
    const { store, state } = this.#input;
    if (!this.#isBegun) store.append(this.#header());
    this.#isBegun = true;
    store.append(this.#writer.render(record));
    try {
      await store.flush();
    } catch (cause) {
      if (record.type === "done") this.#reportUnsaved(record);
      // The lock is written from the state then, so what was answered is part of it.
      if (cause instanceof JournalLostError && isOutcome(record)) state.advance(record);
      throw cause;
    }
    state.advance(record);
  }

  #reportUnsaved(done: DoneRecord): void {
    const begin = this.#input.state.underWay.find(({ n }) => n === done.n);
    if (begin) this.#input.onUnsaved(begin, done);
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
      ...(plan.settings && { settings: plan.settings }),
    });
  }
}

function isOutcome({ type }: JournalRecord): boolean {
  return type === "done" || type === "rejected" || type === "not-sent" || type === "unknown";
}
