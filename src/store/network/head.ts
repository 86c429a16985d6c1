import { StoreChangedError, StoreFailedError } from "../../core/state/lock-store.js";
import { insist, patiently, type Tried } from "../medium/patience.js";
import { Elapsed } from "../medium/elapsed.js";
import type { DocumentMedium, FoundDocument, StateDocument } from "./document-medium.js";
import type { RefusedRequest } from "./refusal.js";
import { isSameDocument } from "./state-document.js";

/** For so many milliseconds a look counts before a write to a medium whose writes have no condition. */
const knownFor = 1000;

/**
 * The document of a medium while this process changes it: each write replaces what this process has written or read
 * last, and nothing else. No two writes are the same, for the serial grows.
 *
 * A write whose answer was lost may have arrived, or may still arrive. So before the next one the medium is looked at:
 * if it has a document of this process, that write arrived. If it arrives later, it is refused, because the document
 * has been replaced, or the next write is refused, and the medium is looked at again. Any other document is a loss,
 * after which nothing is written.
 */
export class DocumentHead {
  #last: FoundDocument;
  /** Writes that may have arrived, or may yet. */
  #doubtful: StateDocument[] = [];
  #loss: StoreChangedError | StoreFailedError | undefined;
  /** Since when it is known what is there; undefined after a write, which only seems to have replaced that. */
  #known: Elapsed | undefined = new Elapsed();

  constructor(
    private readonly medium: DocumentMedium,
    found: FoundDocument,
  ) {
    this.#last = found;
  }

  /** The last write that arrived, or what was read at first. */
  get contents(): StateDocument {
    return this.#last.document;
  }

  /** Why nothing more may be written, once that is known: another process has the medium, or it refuses this one. */
  get loss(): StoreChangedError | StoreFailedError | undefined {
    return this.#loss;
  }

  /** Replaces the contents within some milliseconds; throws StoreChangedError, or StoreFailedError if that fails. */
  async write(next: StateDocument, message: string, patience: number): Promise<void> {
    if (this.#loss) throw this.#loss;
    const document = { ...next, serial: this.#nextSerial };
    const tried = await patiently({ milliseconds: patience }, (attempt) =>
      this.#try(document, message, attempt > 1 || this.#doubtful.length > 0),
    );
    if (!tried.ok) {
      if (tried.isPassing) this.#doubtful.push(document);
      if (tried.isOfCredentials) this.#loss = tried.failure;
      throw tried.failure;
    }
    this.#doubtful = [];
  }

  /** Asks whether the medium still has what was written or read last; throws StoreChangedError or StoreFailedError. */
  async confirm(milliseconds: number): Promise<void> {
    if (this.#loss) throw this.#loss;
    await insist({ milliseconds }, () => this.#look(this.contents, this.#doubtful.length > 0));
  }

  /** Writes the last contents, and gives the medium back. */
  async release(next: StateDocument, patience: number): Promise<void> {
    await this.write(next, "release", patience);
    await this.giveLock(patience);
  }

  /** Gives back the lock of a server that has one of its own; throws StoreFailedError. */
  async giveLock(milliseconds: number): Promise<void> {
    const { lock } = this.medium;
    if (lock) await insist({ milliseconds }, () => lock.give());
  }

  get #nextSerial(): number {
    return Math.max(this.contents.serial, ...this.#doubtful.map(({ serial }) => serial)) + 1;
  }

  /** Writes once, unless the document is already there; gives why it may not have arrived. */
  async #try(
    document: StateDocument,
    message: string,
    isInDoubt: boolean,
  ): Promise<Tried<null, RefusedRequest>> {
    if (isInDoubt || this.#mustLook(document)) {
      const looked = await this.#look(document, isInDoubt);
      if (!looked.ok || isSameDocument(this.contents, document)) return looked;
    }
    this.#known = undefined;
    const written = await this.medium.write(document, this.#last, message);
    if (written.ok && written.value !== "untold") {
      if (written.value === "lost") throw this.#lose();
      this.#last = { document, tag: written.value.tag };
      return { ok: true, value: null };
    }
    if (!written.ok && written.isChanged !== true) return written;
    const looked = await this.#look(document, true);
    if (!looked.ok || isSameDocument(this.contents, document)) return looked;
    // Nothing has replaced it, or an earlier write of this process has.
    if (!written.ok) return { ...written, isPassing: true };
    throw this.#lose();
  }

  #mustLook({ lock }: StateDocument): boolean {
    if (this.medium.isConditional) return false;
    return lock !== this.contents.lock || this.#known === undefined || this.#known.milliseconds > knownFor;
  }

  /** Reads the state, which must be one that this process has written or read; gives why it could not be read. */
  async #look(document: StateDocument, isInDoubt: boolean): Promise<Tried<null, RefusedRequest>> {
    const asked = new Elapsed();
    const looked = await this.#lookOnce(isInDoubt);
    if (!looked.ok) return looked;
    const found = looked.value;
    this.#known = asked;
    if (found === "lost") throw this.#lose();
    const own = [document, this.contents, ...this.#doubtful];
    if (!own.some((one) => isSameDocument(one, found.document))) {
      // The question for a lock of the server's own may have taken it, if it was free.
      if (isInDoubt) await this.medium.lock?.give();
      throw this.#lose();
    }
    this.#last = found;
    return { ok: true, value: null };
  }

  /** Reads the state; one that is not agentform's is also a loss. */
  async #lookOnce(isInDoubt: boolean) {
    try {
      return await this.medium.look(isInDoubt);
    } catch (thrown) {
      if (thrown instanceof StoreFailedError) this.#loss = thrown;
      throw thrown;
    }
  }

  #lose(): StoreChangedError {
    const loss = new StoreChangedError(this.medium.lossText);
    this.#loss = loss;
    return loss;
  }
}
