import { setTimeout as sleep } from "node:timers/promises";
import {
  StoreChangedError,
  StoreFailedError,
  StoreHeldError,
  type LockStore,
  type StoredState,
  unlockCommand,
} from "../../core/state/lock-store.js";
import type { TextPieces } from "../../core/state/state-text.js";
import { versionOf } from "../local/lock-file.js";
import { describeThisProcess } from "../local/process-record.js";
import { nothing } from "../network/contents.js";
import { Hold } from "../network/hold.js";
import { holderOf } from "../network/holder-record.js";
import { beginJournal, fullestJournal, leftBehind } from "../network/left-behind.js";
import { MachineJournal } from "../network/machine-journal.js";
import type { Refusal } from "../network/refusal.js";
import { HttpHead } from "./http-head.js";
import type { HttpServer } from "./http-server.js";
import { lockInfoFor, lockInfoOf, type LockedBy, type LockInfo } from "./lock-info.js";
import { isSameDocument, type StateDocument } from "../network/state-document.js";

/** Where an HTTP store keeps its state, and how long it waits. */
export interface HttpStoreOptions {
  /** Connects to the server; throws StoreFailedError if that is not possible with these settings. */
  readonly connect: () => HttpServer;
  /** How messages name the lock: its address. */
  readonly lockName: string;
  /** Absolute; this machine's journal. Its folder is made when needed, ignored by git. */
  readonly journalFile: string;
  readonly journalName: string;
  /** The environment, for the commands that messages name. */
  readonly environment?: string | null;
  /** The time between two writes of progress, in milliseconds; 3000 unless given. */
  readonly pushInterval?: number;
  /** How long a write that must arrive is retried, in milliseconds; a minute unless given. */
  readonly patience?: number;
}

/** A lock store on a server of Terraform's HTTP state protocol. */
export interface HttpStore extends LockStore {
  /** Removes the holder with this nonce, even a living one; gives whether there was one. */
  unlock(nonce: string): Promise<boolean>;
}

/** How often the lock is asked for. */
const attempts = 4;

/** Opens a store; nothing is connected or read before a function is called. */
export function createHttpStore(options: HttpStoreOptions): HttpStore {
  return new ServerStore(options);
}

/**
 * Why two processes never hold it at once, and nothing is lost. The server gives its lock to one ID at a time, and
 * writes only for that ID; each process has an ID of its own. A process that was stopped, and goes on after another
 * was unlocked for, learns it from its next write, and nothing is sent without one that arrived lately (`Hold`).
 * Only this machine's journal is ahead of the server, and all of its creates are claimed on the server before the
 * first is sent.
 */
class ServerStore implements HttpStore {
  readonly needsClaim = true;
  readonly lockName: string;
  readonly journalName: string;
  readonly #journal: MachineJournal;
  #held: { readonly hold: Hold; readonly server: HttpServer } | undefined;

  constructor(private readonly options: HttpStoreOptions) {
    this.lockName = options.lockName;
    this.journalName = options.journalName;
    this.#journal = new MachineJournal(options.journalFile, options.journalName);
  }

  async read(): Promise<StoredState> {
    // Before the server: a replace writes there before it removes this machine's journal.
    const local = this.#journal.read();
    const { lock, journal, holder } = (await this.#using((server) => server.read())) ?? nothing;
    const fullest = fullestJournal({ journal }, local);
    return { version: versionOf(lock), lock, journal: fullest, holder: holderOf(holder) };
  }

  async acquire(): Promise<void> {
    const server = this.options.connect();
    const record = describeThisProcess();
    const info = lockInfoOf(record, this.lockName);
    try {
      await this.#take(server, info);
      await this.#begin(server, info, `${JSON.stringify(record)}\n`);
    } catch (thrown) {
      server.close();
      throw thrown;
    }
  }

  append(line: string): void {
    if (this.#held) this.#journal.append(line);
  }

  async flush(): Promise<void> {
    await this.#hold.flush();
  }

  reserve(growth: number): void {
    this.#hold.reserve(growth);
  }

  async replace(lock: TextPieces, version: string | null): Promise<string> {
    return await this.#hold.replace(lock, version);
  }

  async release(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    try {
      await held?.hold.release();
    } finally {
      held?.server.close();
    }
  }

  /** Takes the lock itself to find out who has it, so that no other can be taken away by mistake. */
  async unlock(nonce: string): Promise<boolean> {
    return await this.#using(async (server) => {
      const info = lockInfoOf(describeThisProcess(), this.lockName);
      const by = await this.#ask(server, info);
      if (by !== undefined) {
        if (by.holder.nonce !== nonce) return false;
        const refusal = await server.unlock(
          by.id === undefined ? undefined : lockInfoFor(by.id, this.lockName),
        );
        if (refusal) throw refusal.failure;
        // If somebody else has it by now, that process writes its own holder.
        if ((await this.#ask(server, info)) !== undefined) return true;
      }
      try {
        return (await this.#clearHolder(server, info, nonce)) || by !== undefined;
      } finally {
        await server.unlock(info);
      }
    });
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
  async #take(server: HttpServer, info: LockInfo): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const by = await this.#ask(server, info);
      if (by === undefined) return;
      const { holder, isLeft } = await this.#explain(server, by);
      if (!isLeft || by.id === undefined || attempt === attempts) throw new StoreHeldError(holder);
      const refusal = await server.unlock(lockInfoFor(by.id, this.lockName));
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

  /** Finds out more of a holder, and whether this process may take over from it. */
  async #explain(server: HttpServer, by: LockedBy) {
    const local = this.#journal.read();
    const found = await readIfPossible(server);
    const written = holderOf(found?.holder ?? null);
    if (found && written?.nonce === by.id && written !== null) {
      const isAtHand = leftBehind(found, local).isAtHand || found.journal === null;
      return { holder: written, isLeft: written.life === "dead" && isAtHand };
    }
    // It has the lock, and has written nothing yet, or has already given everything back.
    return { holder: by.holder, isLeft: by.isRecord && by.holder.life === "dead" };
  }

  /** Writes the holder, and begins the journal of a process that has the server's lock. */
  async #begin(server: HttpServer, info: LockInfo, holder: string): Promise<void> {
    const {
      lockName,
      journalName,
      pushInterval = 3000,
      patience = 60_000,
      environment = null,
    } = this.options;
    const medium = await this.#enter(server, info, holder);
    const journal = this.#journal;
    const nonce = info.ID;
    const hold = new Hold({
      medium,
      journal,
      nonce,
      lockName,
      journalName,
      pushInterval,
      patience,
      environment,
    });
    this.#held = { hold, server };
  }

  async #enter(server: HttpServer, info: LockInfo, holder: string): Promise<HttpHead> {
    const { lockName, patience = 60_000 } = this.options;
    let head: HttpHead | undefined;
    try {
      head = new HttpHead(server, info, await server.read());
      const { journal, isAtHand } = leftBehind(head.contents, this.#journal.read());
      await head.write({ ...head.contents, journal, holder }, "acquire", Math.min(patience, 10_000));
      // A server that keeps nothing must be found out before anything is sent.
      if (!isSameDocument(await server.read(), head.last)) {
        throw new StoreFailedError(
          `${lockName} does not keep what is written to it`,
          "check the address in `spec.lock`: it must be a server of Terraform's HTTP state protocol",
        );
      }
      beginJournal(this.#journal, head.contents, isAtHand);
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

  get #hold(): Hold {
    if (!this.#held) throw new StoreFailedError(`${this.lockName} is not held`);
    return this.#held.hold;
  }

  async #using<Result>(run: (server: HttpServer) => Promise<Result>): Promise<Result> {
    if (this.#held) return await run(this.#held.server);
    const server = this.options.connect();
    try {
      return await run(server);
    } finally {
      server.close();
    }
  }
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
