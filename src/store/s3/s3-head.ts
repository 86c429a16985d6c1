import { setTimeout as sleep } from "node:timers/promises";
import { StoreChangedError, StoreFailedError } from "../../core/state/lock-store.js";
import type { Contents } from "../network/contents.js";
import type { HeldMedium } from "../network/hold.js";
import { isSameDocument, type StateDocument } from "../network/state-document.js";
import { pauseOf, type Refusal } from "../network/refusal.js";
import type { Found, S3Bucket } from "./s3-bucket.js";

/**
 * The state in a bucket while this process changes it: each write replaces what this process has written or read
 * last, and nothing else, because it names its ETag. No two writes are the same text, for the serial grows.
 *
 * A write whose answer was lost may have arrived, or may still arrive. So before the next one the object is read:
 * if it has this process's own document, that write arrived. If it arrives later, it is refused, for the object has
 * been replaced, or the next write is refused, and the object is read again.
 */
export class S3Head implements HeldMedium {
  #last: Found;
  /** Writes that may have arrived, or may yet. */
  #doubtful: StateDocument[] = [];
  #loss: StoreChangedError | StoreFailedError | undefined;

  constructor(
    private readonly bucket: S3Bucket,
    found: Found,
    /** The machine that writes, for the history. */
    private readonly host: string,
  ) {
    this.#last = found;
  }

  /** The last write that arrived, or what was read at first. */
  get last(): StateDocument | null {
    return this.#last.document;
  }

  get contents(): Contents {
    const { lock = null, journal = null, holder = null } = this.last ?? {};
    return { lock, journal, holder };
  }

  get loss(): StoreChangedError | StoreFailedError | undefined {
    return this.#loss;
  }

  async write(next: Contents, _message: string, patience: number): Promise<void> {
    if (this.#loss) throw this.#loss;
    const end = Date.now() + patience;
    const document = { ...next, serial: this.#nextSerial };
    for (let attempt = 1; ; attempt++) {
      const isInDoubt = attempt > 1 || this.#doubtful.length > 0;
      const refusal = (isInDoubt && (await this.#look(document))) || (await this.#writeOnce(document));
      if (refusal === undefined) break;
      if (!refusal.isPassing || Date.now() >= end) {
        if (refusal.isPassing) this.#doubtful.push(document);
        if (refusal.isOfCredentials) this.#loss = refusal.failure;
        throw refusal.failure;
      }
      await sleep(pauseOf(refusal, attempt, end));
    }
    this.#doubtful = [];
  }

  async release(next: Contents, patience: number): Promise<void> {
    await this.write(next, "release", patience);
  }

  get #nextSerial(): number {
    return Math.max(this.last?.serial ?? 0, ...this.#doubtful.map(({ serial }) => serial)) + 1;
  }

  /** Writes once, unless the document is already there; gives why it may not have arrived. */
  async #writeOnce(document: StateDocument): Promise<Refusal | undefined> {
    if (isSameDocument(this.last, document)) return undefined;
    const writing = await this.bucket.write(document, this.#last.etag, this.host);
    if (writing.type === "written" && writing.etag !== undefined) {
      this.#last = { document, etag: writing.etag };
      return undefined;
    }
    if (writing.type === "failed") return writing;
    const refusal = await this.#look(document);
    if (refusal || isSameDocument(this.last, document)) return refusal;
    // Nothing has replaced it, or an earlier write of this process has.
    if (writing.type === "changed") return { ...writing, isPassing: true };
    throw this.#lose();
  }

  /** Reads the state, which must be this process's own; gives why it could not be read. */
  async #look(document: StateDocument): Promise<Refusal | undefined> {
    let reading;
    try {
      reading = await this.bucket.readOnce();
    } catch (thrown) {
      if (thrown instanceof StoreFailedError) this.#loss = thrown;
      throw thrown;
    }
    if (reading.type === "failed") return reading;
    const { found } = reading;
    const own = [document, this.last, ...this.#doubtful];
    if (!own.some((one) => isSameDocument(one, found.document))) throw this.#lose();
    this.#last = found;
    return undefined;
  }

  #lose(): StoreChangedError {
    const loss = new StoreChangedError(`${this.bucket.name} was unlocked, or changed elsewhere`);
    this.#loss = loss;
    return loss;
  }
}
