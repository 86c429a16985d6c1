import { bare, say } from "../../core/finding/said.js";
import { busyHint } from "../../core/state/store-hints.js";
import { setTimeout as sleep } from "node:timers/promises";
import {
  StoreChangedError,
  StoreFailedError,
  StoreHeldError,
  unlessMediumFails,
  type LockStore,
  type StateNames,
  type StoredState,
} from "../../core/state/lock-store.js";
import { serialIn } from "../../core/state/lock-move.js";
import { versionOf } from "../local/lock-file.js";
import { describeThisProcess, holderOf, type ProcessRecord } from "../local/process-record.js";
import { Elapsed } from "../medium/elapsed.js";
import {
  MediumStore,
  type Access,
  type KeptVersion,
  type Medium,
  type StoreCare,
} from "../medium/medium-store.js";
import type { StoreAccess } from "./access.js";
import type { DocumentMedium, FoundDocument } from "./document-medium.js";
import { DocumentHead } from "./head.js";
import { Hold } from "./hold.js";
import { MachineJournal, beginJournal, fullestJournal, leftBehind } from "./machine-journal.js";
import { mayBeHeld } from "./refusal.js";
import { isSameDocument } from "./state-document.js";

/** Where this machine keeps its journal of a state over the network, and how long its store waits. */
export interface DocumentStoreOptions extends StoreCare, Pick<Medium<Access>, "environments"> {
  /** Absolute; this machine's journal. Its folder is made when needed, ignored by git. */
  readonly journalFile: string;
  readonly journalName: string;
  /** The environment, for the commands that messages name. */
  readonly environment?: string | null;
  /** The time-out of one request, in milliseconds; 30 seconds unless given, and a minute for a run of git. */
  readonly timeout?: number;
  /** The time between two writes of progress, in milliseconds; 3000 unless given. */
  readonly pushInterval?: number;
  /** How long a write that must arrive is retried, in milliseconds; a minute unless given. */
  readonly patience?: number;
  /** The highest serial that was read, for all stores of a command; the store's own unless given. */
  readonly seen?: { serial: number };
}

/** The access to a state over HTTP, the place of this machine's journal, and how long the store waits. */
export type HttpStoreAccess = StoreAccess & DocumentStoreOptions;

/** What a command has read before its first read. */
export const nothingSeen = { serial: -1 };

/** What a medium keeps of the earlier locks. */
interface MediumPast<Backing> {
  /** Gives the versions of the lock, newest first. */
  versions(medium: Backing): Promise<readonly KeptVersion[]>;
  /** Gives the highest serial among the last versions, once the present one was read; nothing if there are none, or it is not told. */
  newest?(medium: Backing): Promise<number | undefined>;
  /** Gives the journals that were lately beside a lock with this text, longest first, once the present state was read. */
  journals?(medium: Backing, lock: string | null): Promise<readonly Pick<KeptVersion, "text">[]>;
}

/** How often a step is made again because another process was faster. */
const attempts = 8;

/** Makes the store above a medium of one document; nothing is connected or read before a function is called. */
export function documentStore<Backing extends DocumentMedium>(
  options: DocumentStoreOptions & StateNames,
  connect: () => Backing,
  past?: MediumPast<Backing>,
): LockStore {
  const { seen = { ...nothingSeen } } = options;
  return new MediumStore<DocumentAccess<Backing>>({
    ...options,
    needsClaim: true,
    connect: () => new DocumentAccess(connect(), options, seen, past),
    ...(past && { versions: ({ medium }) => past.versions(medium) }),
    ...(past?.journals && {
      journals: async ({ medium }, lock) => (await past.journals?.(medium, lock)) ?? [],
    }),
  });
}

/**
 * A state in one document over the network.
 *
 * Why two processes never hold it at once, and nothing is lost. Of two writers that saw the same document one wins,
 * by a condition of the write or by a lock of the server's own. A process that was stopped, and goes on after another
 * was unlocked for, learns it from its next write, and nothing is sent without one that arrived lately (`Hold`). Only
 * this machine's journal is ahead of the medium, and all of its creates are claimed there before the first is sent.
 */
class DocumentAccess<Backing extends DocumentMedium> implements Access {
  readonly #journal: MachineJournal;

  constructor(
    readonly medium: Backing,
    private readonly options: DocumentStoreOptions & StateNames,
    /** The highest serial of a document that was read. */
    private readonly seen: { serial: number },
    private readonly past?: MediumPast<Backing>,
  ) {
    this.#journal = new MachineJournal(options.journalFile, options.journalName);
  }

  async read(): Promise<StoredState> {
    // Before the medium: a replace writes there before it removes this machine's journal.
    const local = this.#journal.read();
    const { lock, journal, holder, serial } = (await this.medium.read(false)).document;
    this.seen.serial = Math.max(this.seen.serial, serial);
    const fullest = fullestJournal({ lock, journal }, local);
    const newest = await this.#newestAfter(lock);
    const state = { version: versionOf(lock), lock, ...fullest, holder: holderOf(holder) };
    return { ...state, ...(newest !== undefined && { newest }) };
  }

  /** The serial of a later version that the medium keeps, if it does. */
  async #newestAfter(lock: string | null): Promise<number | undefined> {
    const serial = lock === null ? 0 : serialIn(lock);
    const newest = await this.past?.newest?.(this.medium);
    return serial !== undefined && newest !== undefined && newest > serial ? newest : undefined;
  }

  async take(): Promise<Hold> {
    const asked = new Elapsed();
    const record = describeThisProcess();
    const { lock } = this.medium;
    if (!lock) {
      const [first] = await Promise.all([this.medium.read(true), this.medium.probe?.()]);
      let found: FoundDocument | undefined = first;
      return await this.#contend(async () => {
        const present = found ?? (await this.medium.read(true));
        found = undefined;
        return await this.#enter(record, present, asked);
      });
    }
    // One wrong answer to the read after the lock would be written back as the state.
    if (this.seen.serial === nothingSeen.serial) await this.read();
    await lock.take(record, this.#journal.read());
    let found;
    try {
      found = await this.medium.read(true);
      this.#refuseOlder(found);
    } catch (thrown) {
      const isBack = (await lock.give()).ok;
      throw isBack || !(thrown instanceof StoreFailedError)
        ? thrown
        : mayBeHeld(thrown, record.nonce, this.options);
    }
    return await this.#enter(record, found, asked);
  }

  async unlock(nonce: string): Promise<boolean> {
    const clear = async (): Promise<boolean> => {
      const found = await this.medium.read(true);
      if (holderOf(found.document.holder)?.nonce !== nonce) return false;
      const next = { ...found.document, holder: null };
      await new DocumentHead(this.medium, found).write(next, `unlock ${nonce}\n`, this.#shortPatience);
      return true;
    };
    return (await this.medium.lock?.takeAway(nonce, clear)) ?? (await this.#contend(clear));
  }

  async refresh(): Promise<void> {
    await this.medium.refresh?.();
  }

  close(): void {
    this.medium.close?.();
  }

  get #shortPatience(): number {
    return Math.min(this.options.patience ?? 60_000, 10_000);
  }

  /** Writes the holder, and begins the journal, unless another process may have what was found. */
  async #enter(record: ProcessRecord, found: FoundDocument, asked: Elapsed): Promise<Hold> {
    const { medium, options } = this;
    const journal = this.#journal;
    const left = leftBehind(found.document, journal.read());
    const present = holderOf(found.document.holder);
    const isLeft = present?.life === "dead" && (left.isAtHand || found.document.journal === null);
    if (present && !isLeft && !medium.lock) throw new StoreHeldError(present);
    const head = new DocumentHead(medium, found);
    const holder = `${JSON.stringify(record)}\n`;
    const subject = present ? `acquire from ${present.nonce}` : "acquire";
    const message = `${subject}\n\nprocess ${record.pid} on ${record.host}, nonce ${record.nonce}\n`;
    try {
      await head.write({ ...head.contents, journal: left.journal, holder }, message, this.#shortPatience);
      await this.#checkKept(head);
      beginJournal(journal, head.contents, left.isAtHand);
    } catch (thrown) {
      throw await this.#leave(head, thrown, record, holder);
    }
    const { lockName, journalName, environment = null, pushInterval = 3000, patience = 60_000 } = options;
    const waits = { pushInterval, patience };
    const { nonce } = record;
    return new Hold({ head, journal, nonce, asked, lockName, journalName, environment, ...waits });
  }

  // A write without a condition would replace what is there by what was answered: an old copy, or nothing.
  #refuseOlder({ document }: FoundDocument): void {
    if (document.serial >= this.seen.serial) return;
    throw new StoreFailedError(
      say`${bare({ lock: this.options.lockName })} is gone, or older than a moment ago`,
      "nothing was changed: look at the server, and at what stands in front of it, and run the command again",
    );
  }

  // A server that keeps nothing must be found out before anything is sent.
  async #checkKept({ contents }: DocumentHead): Promise<void> {
    const { keepingHint } = this.medium;
    if (keepingHint === undefined) return;
    if (isSameDocument((await this.medium.read(false)).document, contents)) return;
    throw new StoreFailedError(
      say`${bare({ lock: this.options.lockName })} does not keep what is written to it`,
      keepingHint,
    );
  }

  /** Gives back what may have been taken, and gives what to throw. */
  async #leave(
    head: DocumentHead,
    thrown: unknown,
    { nonce }: ProcessRecord,
    holder: string,
  ): Promise<unknown> {
    if (head.loss instanceof StoreChangedError) return thrown;
    const { medium, options } = this;
    const isLockAlone = medium.lock && head.contents.holder !== holder;
    const clearing = isLockAlone
      ? Promise.resolve()
      : head.write({ ...head.contents, holder: null }, "release", 0).catch((cause: unknown) => {
          // What is there is not what was written, so the lock of the server alone is given back.
          if (!(cause instanceof StoreChangedError)) throw cause;
        });
    const giving = clearing.then(async () => await head.giveLock(0));
    const isBack = await unlessMediumFails(
      giving.then(() => true),
      () => false,
    );
    if (!(thrown instanceof StoreFailedError)) return thrown;
    const failure = new StoreFailedError(say`${thrown.said}${medium.notTaken ?? ""}`, thrown.hint);
    return isBack ? failure : mayBeHeld(failure, nonce, options);
  }

  /** Makes a step again as long as another process is faster. */
  async #contend<Result>(step: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await step();
      } catch (thrown) {
        if (!(thrown instanceof StoreChangedError)) throw thrown;
        if (attempt >= attempts) {
          throw new StoreFailedError(
            say`${bare({ lock: this.options.lockName })} was changed elsewhere at every attempt`,
            busyHint,
          );
        }
      }
      await sleep(50 + Math.random() * 200 * attempt);
    }
  }
}
