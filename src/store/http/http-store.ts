import { setTimeout as sleep } from "node:timers/promises";
import {
  StoreChangedError,
  StoreFailedError,
  StoreHeldError,
  unlockCommand,
  type LockStore,
} from "../../core/state/lock-store.js";
import { describeThisProcess } from "../local/process-record.js";
import { nothing, type Contents } from "../network/contents.js";
import { holderOf } from "../network/holder-record.js";
import { beginJournal, leftBehind } from "../network/left-behind.js";
import type { MachineJournal } from "../network/machine-journal.js";
import type { Refusal } from "../network/refusal.js";
import {
  ServerStore,
  type ServerProtocol,
  type ServerStoreOptions,
  type Taker,
} from "../network/server-store.js";
import { isSameDocument, type StateDocument } from "../network/state-document.js";
import { HttpHead } from "./http-head.js";
import type { HttpServer } from "./http-server.js";
import { lockInfoFor, lockInfoOf, type LockedBy, type LockInfo } from "./lock-info.js";

/** How often the lock is asked for. */
const attempts = 4;

/** Opens a lock store on a server of Terraform's HTTP state protocol; nothing is connected or read before a function is called. */
export function createHttpStore(options: ServerStoreOptions<HttpServer>): LockStore {
  return new ServerStore(options, new HttpProtocol(options));
}

/**
 * Why two processes never hold it at once, and nothing is lost. The server gives its lock to one ID at a time, and
 * writes only for that ID; each process has an ID of its own. A process that was stopped, and goes on after another
 * was unlocked for, learns it from its next write, and nothing is sent without one that arrived lately (`Hold`).
 * Only this machine's journal is ahead of the server, and all of its creates are claimed on the server before the
 * first is sent.
 */
class HttpProtocol implements ServerProtocol<HttpServer> {
  constructor(private readonly options: Pick<ServerStoreOptions<HttpServer>, "lockName" | "environment">) {}

  async read(server: HttpServer): Promise<Contents> {
    return (await server.read()) ?? nothing;
  }

  async take(server: HttpServer, taker: Taker): Promise<HttpHead> {
    const info = lockInfoOf(taker.record, this.options.lockName);
    await this.#take(server, info, taker.journal);
    return await this.#enter(server, info, taker);
  }

  /** Takes the lock itself to find out who has it, so that no other can be taken away by mistake. */
  async unlock(server: HttpServer, nonce: string): Promise<boolean> {
    const { lockName } = this.options;
    const info = lockInfoOf(describeThisProcess(), lockName);
    const by = await this.#ask(server, info);
    if (by !== undefined) {
      if (by.holder.nonce !== nonce) return false;
      const refusal = await server.unlock(by.id === undefined ? undefined : lockInfoFor(by.id, lockName));
      if (refusal) throw refusal.failure;
      // If somebody else has it by now, that process writes its own holder.
      if ((await this.#ask(server, info)) !== undefined) return true;
    }
    try {
      return (await this.#clearHolder(server, info, nonce)) || by !== undefined;
    } finally {
      await server.unlock(info);
    }
  }

  // The server's lock is gone, but the state still names its holder.
  async #clearHolder(server: HttpServer, info: LockInfo, nonce: string): Promise<boolean> {
    const found = await server.read();
    if (found === null || holderOf(found.holder)?.nonce !== nonce) return false;
    const head = new HttpHead(server, info, found);
    await head.write({ ...head.contents, holder: null }, "unlock", 0);
    return true;
  }

  /** Takes the server's lock, also from a process that is certainly dead and whose journal is here. */
  async #take(server: HttpServer, info: LockInfo, journal: MachineJournal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const by = await this.#ask(server, info);
      if (by === undefined) return;
      const { holder, isLeft } = await explain(server, by, journal.read());
      if (!isLeft || by.id === undefined || attempt === attempts) throw new StoreHeldError(holder);
      const refusal = await server.unlock(lockInfoFor(by.id, this.options.lockName));
      if (refusal) throw refusal.failure;
    }
  }

  /** Asks for the lock until there is an answer; gives who has it, and undefined once it is this process. */
  async #ask(server: HttpServer, info: LockInfo): Promise<LockedBy | undefined> {
    for (let attempt = 1; ; attempt++) {
      const locking = await server.lock(info);
      if (locking.type === "held") return undefined;
      if (locking.type === "refused") return locking.by;
      if (!locking.isPassing) throw locking.failure;
      if (attempt === attempts) throw await this.#giveUp(server, info, locking);
      await sleep(Math.max(locking.wait, 200 * 2 ** attempt * (0.5 + Math.random() / 2)));
    }
  }

  // The lock may have been given although the answer was lost.
  async #giveUp(server: HttpServer, info: LockInfo, { failure }: Refusal): Promise<StoreFailedError> {
    const isFree = (await server.unlock(info)) === undefined;
    if (isFree) return failure;
    const held = `it may be locked by this process all the same: then \`${unlockCommand(info.ID, this.options.environment)}\``;
    return new StoreFailedError(
      failure.message,
      failure.hint === undefined ? held : `${failure.hint}; ${held}`,
    );
  }

  /** Writes the holder, and begins the journal of a process that has the server's lock. */
  async #enter(server: HttpServer, info: LockInfo, { record, journal, patience }: Taker): Promise<HttpHead> {
    const holder = `${JSON.stringify(record)}\n`;
    let head: HttpHead | undefined;
    try {
      head = new HttpHead(server, info, await server.read());
      const left = leftBehind(head.contents, journal.read());
      await head.write({ ...head.contents, journal: left.journal, holder }, "acquire", patience);
      // A server that keeps nothing must be found out before anything is sent.
      if (!isSameDocument(await server.read(), head.last)) {
        throw new StoreFailedError(
          `${this.options.lockName} does not keep what is written to it`,
          "check the address in `spec.lock`: it must be a server of Terraform's HTTP state protocol",
        );
      }
      beginJournal(journal, head.contents, left.isAtHand);
      return head;
    } catch (thrown) {
      await this.#leave(server, info, head, holder);
      throw thrown;
    }
  }

  /** Gives back a lock that is of no use; what goes wrong with that does not matter beside the reason. */
  async #leave(
    server: HttpServer,
    info: LockInfo,
    head: HttpHead | undefined,
    holder: string,
  ): Promise<void> {
    if (head?.loss instanceof StoreChangedError) return;
    try {
      if (head?.contents.holder === holder) await head.release({ ...head.contents, holder: null }, 0);
      else await server.unlock(info);
    } catch (thrown) {
      const isKnown = thrown instanceof StoreFailedError || thrown instanceof StoreChangedError;
      if (!isKnown) throw thrown;
    }
  }
}

/** Finds out more of a holder, and whether this process may take over from it. */
async function explain(server: HttpServer, by: LockedBy, local: string | null) {
  const found = await readIfPossible(server);
  const written = holderOf(found?.holder ?? null);
  if (found && written?.nonce === by.id && written !== null) {
    const isAtHand = leftBehind(found, local).isAtHand || found.journal === null;
    return { holder: written, isLeft: written.life === "dead" && isAtHand };
  }
  // It has the lock, and has written nothing yet, or has already given everything back.
  return { holder: by.holder, isLeft: by.isRecord && by.holder.life === "dead" };
}

// Who holds the store is told even if its state cannot be read.
async function readIfPossible(server: HttpServer): Promise<StateDocument | null> {
  try {
    return await server.read();
  } catch (thrown) {
    if (thrown instanceof StoreFailedError) return null;
    throw thrown;
  }
}
