import { type Tried, patiently } from "../medium/patience.js";
import type {
  DocumentMedium,
  FoundDocument,
  StateDocument,
  Writing,
  ServerLock,
} from "../network/document-medium.js";
import { mayBeHeld, type RefusedRequest } from "../network/refusal.js";
import type { HttpServer } from "./http-server.js";
import { bare, say } from "../../core/finding/said.js";
import { StoreFailedError, StoreHeldError, unlessMediumFails } from "../../core/state/lock-store.js";
import { describeThisProcess, holderOf, type ProcessRecord } from "../local/process-record.js";
import { leftBehind } from "../network/machine-journal.js";
import { lockInfoFor, lockInfoOf, type LockedBy, type LockInfo } from "./lock-info.js";

/**
 * The state on a server of Terraform's HTTP state protocol.
 *
 * The protocol has no compare-and-swap. What keeps others out is the lock's ID in every write: the server refuses a
 * write with any other. So in doubt the lock is asked for again with the same ID before the state is read: if the ID
 * has the lock and the state is one that this process has written, nobody else can have written since, because who
 * takes the lock first writes its own holder. A server that does not check the ID gets a second guard: before the lock
 * is replaced, and after a time without a write, the state is read, and must be this process's own.
 */
export class HttpMedium implements DocumentMedium {
  readonly isConditional = false;
  readonly keepingHint =
    "check the address in `spec.lock`: it must be a server of Terraform's HTTP state protocol";
  readonly lossText: string;
  readonly lock: HttpLock;

  constructor(private readonly server: HttpServer) {
    this.lossText = `${server.name} was unlocked, or changed elsewhere`;
    this.lock = new HttpLock(server);
  }

  async read(): Promise<FoundDocument> {
    return await this.server.read();
  }

  async look(isInDoubt: boolean): Promise<Tried<FoundDocument | "lost", RefusedRequest>> {
    if (isInDoubt) {
      const locking = await this.server.askLock(this.lock.info);
      if (!locking.ok) return locking;
      // A refusal that names nobody may be of a server without locks.
      if (locking.value?.id !== undefined) return { ok: true, value: "lost" };
    }
    return await this.server.readOnce();
  }

  async write(document: StateDocument): Promise<Writing> {
    return await this.server.write(document, this.lock.info.ID);
  }

  close(): void {
    this.server.close();
  }
}

/** How often the lock is asked for. */
const attempts = 4;

/** The lock of a server of Terraform's HTTP state protocol, which it gives to one ID at a time; each process has its own. */
class HttpLock implements ServerLock {
  #info: LockInfo | undefined;

  constructor(private readonly server: HttpServer) {}

  /** What this process asks with. */
  get info(): LockInfo {
    return (this.#info ??= lockInfoOf(describeThisProcess(), this.server.name));
  }

  async take(record: ProcessRecord, local: string | null): Promise<void> {
    this.#info = lockInfoOf(record, this.server.name);
    for (let attempt = 1; ; attempt++) {
      const by = await this.#ask();
      if (by === null) return await this.#refuseShared();
      const { holder, isLeft } = await this.#explain(by, local);
      if (!isLeft || by.id === undefined || attempt === attempts) throw new StoreHeldError(holder);
      await this.#takeFrom(by);
    }
  }

  /** Asks once more as somebody else: what a server gives to two at a time keeps nobody out. */
  async #refuseShared(): Promise<void> {
    const other = lockInfoOf(describeThisProcess(), this.server.name);
    const asked = await patiently({ attempts }, () => this.server.askLock(other));
    if (asked.ok && asked.value !== null) return;
    if (asked.ok) await this.server.giveLock(other);
    await this.give();
    if (!asked.ok) throw asked.failure;
    throw new StoreFailedError(
      say`${bare({ lock: this.server.name })} cannot be used: the server gives its lock to two at a time, so two applies could run at the same time`,
      "check `lock_address` and `lock_method` in `spec.lock`, or use a server with locks, or another store",
    );
  }

  async give(): Promise<Tried<null, RefusedRequest>> {
    const given = await this.server.giveLock(this.info);
    if (given.ok || given.isChanged !== true) return given;
    // It may have been given back or taken away before: the question says who has it, and takes it if nobody has.
    const asked = await this.server.askLock(this.info);
    if (!asked.ok) return given;
    return asked.value?.id === undefined ? await this.server.giveLock(this.info) : { ok: true, value: null };
  }

  /** Takes the lock itself to find out who has it, so that no other can be taken away by mistake. */
  async takeAway(nonce: string, clear: () => Promise<boolean>): Promise<boolean> {
    const by = await this.#ask();
    if (by !== null) {
      if (by.holder.nonce !== nonce) return false;
      const taken = await this.server.giveLock(this.#infoOf(by));
      const next = await this.#ask();
      if (next?.holder.nonce === nonce) throw taken.ok ? this.#notGiven() : taken.failure;
      // If somebody else has it by now, that process writes its own holder.
      if (next !== null) return true;
    }
    // The server's lock is gone, but the state may still name its holder.
    const clearing = clear();
    await Promise.allSettled([clearing]);
    const given = await patiently({ attempts }, () => this.give());
    if (!given.ok) throw this.#mayBeHeld(given.failure);
    return (await clearing) || by !== null;
  }

  #notGiven(): StoreFailedError {
    return new StoreFailedError(
      say`${bare({ lock: this.server.name })} could not be unlocked: the server says that it is, and gives the lock to nobody else`,
      "the log of the server says more; look for a way to unlock the state there",
    );
  }

  async #takeFrom(by: LockedBy): Promise<void> {
    const taken = await this.server.giveLock(this.#infoOf(by));
    // Who has it then, the next question says.
    if (!taken.ok && taken.isChanged !== true) throw taken.failure;
  }

  #infoOf({ id }: LockedBy): LockInfo | undefined {
    return id === undefined ? undefined : lockInfoFor(id, this.server.name);
  }

  /** Asks for the lock until there is an answer; gives who has it, and null once it is this process. */
  async #ask(): Promise<LockedBy | null> {
    const asked = await patiently({ attempts }, () => this.server.askLock(this.info));
    if (asked.ok) return asked.value;
    if (!asked.isPassing) throw asked.failure;
    // The lock may have been given although the answer was lost.
    const { failure } = asked;
    throw (await this.give()).ok ? failure : this.#mayBeHeld(failure);
  }

  #mayBeHeld(failure: StoreFailedError): StoreFailedError {
    return mayBeHeld(failure, this.info.ID, this.server.owners[0]);
  }

  /** Finds out more of a holder, and whether this process may take over from it. */
  async #explain(by: LockedBy, local: string | null) {
    // Who holds the store is told even if its state cannot be read.
    const read = await unlessMediumFails(this.server.read(), () => undefined);
    const found = read?.document;
    const written = holderOf(found?.holder ?? null);
    if (found && written !== null && written.nonce === by.id) {
      const isAtHand = leftBehind(found, local).isAtHand || found.journal === null;
      return { holder: written, isLeft: written.life === "dead" && isAtHand };
    }
    // It has the lock, and has written nothing yet, or has already given everything back.
    return { holder: by.holder, isLeft: by.isRecord && by.holder.life === "dead" };
  }
}
