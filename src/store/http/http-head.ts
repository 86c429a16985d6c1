import { setTimeout as sleep } from "node:timers/promises";
import { StoreChangedError, StoreFailedError } from "../../core/state/lock-store.js";
import type { Contents } from "../network/contents.js";
import { Elapsed } from "../network/elapsed.js";
import type { HeldMedium } from "../network/hold.js";
import { pauseOf, type Refusal } from "../network/refusal.js";
import type { HttpServer, Reading } from "./http-server.js";
import type { LockInfo } from "./lock-info.js";
import { isSameDocument, type StateDocument } from "../network/state-document.js";

/** After so many milliseconds without a write that arrived, the state is read before it is written. */
const lookAfter = 10_000;

/**
 * The state on a server while this process holds its lock.
 *
 * The protocol has no compare-and-swap. What keeps others out is the lock's ID in every write: the server refuses a
 * write with any other. A write whose answer was lost, or that failed in the server, may have arrived: so before it
 * is sent again, the lock is asked for again with the same ID, and the state is read. If the ID has the lock and the
 * state is one that this process has written, nobody else can have written since, because who takes the lock first
 * writes its own holder. Anything else is a loss, after which nothing is written.
 *
 * A server that does not check the ID gets a second guard: before the lock is replaced, and after a time without a
 * write, the state is read, and must be this process's own.
 */
export class HttpHead implements HeldMedium {
  #last: StateDocument | null;
  /** Writes that may have arrived although they seemed to fail. */
  #doubtful: StateDocument[] = [];
  #loss: StoreChangedError | StoreFailedError | undefined;
  readonly #arrived = new Elapsed();

  constructor(
    private readonly server: HttpServer,
    private readonly info: LockInfo,
    /** The state that was read after the lock was given. */
    found: StateDocument | null,
  ) {
    this.#last = found;
  }

  /** The last write that arrived, or what was read at first. */
  get last(): StateDocument | null {
    return this.#last;
  }

  get contents(): Contents {
    const { lock = null, journal = null, holder = null } = this.#last ?? {};
    return { lock, journal, holder };
  }

  get loss(): StoreChangedError | StoreFailedError | undefined {
    return this.#loss;
  }

  async write(next: Contents, _message: string, patience: number): Promise<void> {
    if (this.#loss) throw this.#loss;
    const end = Date.now() + patience;
    const document = { ...next, serial: this.#nextSerial };
    let mustLook = this.#doubtful.length > 0 || next.lock !== this.contents.lock;
    mustLook ||= this.#arrived.milliseconds > lookAfter;
    for (let attempt = 1; ; attempt++) {
      const refusal = await this.#tryWrite(document, mustLook, attempt > 1 || this.#doubtful.length > 0);
      if (refusal === undefined) break;
      if (!refusal.isPassing || Date.now() >= end) {
        if (refusal.isPassing) this.#doubtful.push(document);
        if (refusal.isOfCredentials) this.#loss = refusal.failure;
        throw refusal.failure;
      }
      mustLook = true;
      await sleep(pauseOf(refusal, attempt, end));
    }
    this.#last = document;
    this.#doubtful = [];
    this.#arrived.restart();
  }

  async release(next: Contents, patience: number): Promise<void> {
    const end = Date.now() + patience;
    await this.write(next, "release", patience);
    for (let attempt = 1; ; attempt++) {
      const refusal = await this.server.unlock(this.info);
      if (refusal === undefined) return;
      if (!refusal.isPassing || Date.now() >= end) throw refusal.failure;
      await sleep(pauseOf(refusal, attempt, end));
    }
  }

  get #nextSerial(): number {
    return Math.max(this.#last?.serial ?? 0, ...this.#doubtful.map(({ serial }) => serial)) + 1;
  }

  /** Writes once; gives why it may not have arrived. */
  async #tryWrite(
    document: StateDocument,
    mustLook: boolean,
    isInDoubt: boolean,
  ): Promise<Refusal | undefined> {
    if (isInDoubt) {
      const locking = await this.server.lock(this.info);
      if (locking.type === "failed") return locking;
      if (locking.type === "refused" && locking.by.id !== undefined) throw this.#lose();
    }
    if (mustLook) {
      const reading = await this.#look();
      if (reading.type === "failed") return reading;
      const found = reading.document;
      if (isSameDocument(found, document)) return undefined;
      const isOwn = [this.#last, ...this.#doubtful].some((own) => isSameDocument(found, own));
      if (!isOwn) throw await this.#loseState(isInDoubt);
    }
    const writing = await this.server.write(document, this.info.ID);
    if (writing.type === "locked") throw this.#lose();
    return writing.type === "written" ? undefined : writing;
  }

  /** Reads the state; one that is not agentform's is also a loss. */
  async #look(): Promise<Reading> {
    try {
      return await this.server.readOnce();
    } catch (thrown) {
      if (thrown instanceof StoreFailedError) this.#loss = thrown;
      throw thrown;
    }
  }

  // The question for the lock may have taken it, if it was free.
  async #loseState(hasAsked: boolean): Promise<StoreChangedError> {
    if (hasAsked) await this.server.unlock(this.info);
    return this.#lose();
  }

  #lose(): StoreChangedError {
    const loss = new StoreChangedError(`${this.server.name} was unlocked, or changed elsewhere`);
    this.#loss = loss;
    return loss;
  }
}
