import { setTimeout as sleep } from "node:timers/promises";
import {
  StoreChangedError,
  StoreFailedError,
  StoreHeldError,
  type LockHistory,
  type LockStore,
  type StoredState,
  unlockCommand,
} from "../../core/state/lock-store.js";
import type { TextPieces } from "../../core/state/state-text.js";
import { versionOf } from "../local/lock-file.js";
import { describeThisProcess, type ProcessRecord } from "../local/process-record.js";
import { nothing, type Contents } from "../network/contents.js";
import { Hold } from "../network/hold.js";
import { holderOf } from "../network/holder-record.js";
import { beginJournal, fullestJournal, leftBehind } from "../network/left-behind.js";
import { MachineJournal } from "../network/machine-journal.js";
import { isSameDocument } from "../network/state-document.js";
import type { Found, S3Bucket } from "./s3-bucket.js";
import { S3Head } from "./s3-head.js";

/** Where an S3 store keeps its state, and how long it waits. */
export interface S3StoreOptions {
  /** Connects to the server; throws StoreFailedError if that is not possible with these settings. */
  readonly connect: () => S3Bucket;
  /** How messages name the lock, such as `s3://bucket/key`. */
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

/** A lock store in a bucket of S3. */
export interface S3Store extends LockStore {
  /** Removes the holder with this nonce, even a living one; gives whether there was one. */
  unlock(nonce: string): Promise<boolean>;
}

/** How often a step is retried because the object was changed by another process. */
const attempts = 8;

// With a parser of XML, which nothing else needs.
const loadHistory = () => import("./s3-history.js");

/** Opens a store; nothing is connected or read before a function is called. */
export function createS3Store(options: S3StoreOptions): S3Store {
  return new BucketStore(options);
}

/**
 * Why two processes never hold it at once, and nothing is lost. One object has lock, journal and holder, and it is
 * only ever replaced by a write that names the version it replaces, so of two writers that saw the same, one wins;
 * the first is made by a write that is refused if there is any. A process that was stopped, and goes on after another
 * was unlocked for, learns it from its next write, and nothing is sent without one that arrived lately (`Hold`). Only
 * this machine's journal is ahead of the bucket, and all of its creates are claimed there before the first is sent.
 */
class BucketStore implements S3Store {
  readonly needsClaim = true;
  readonly lockName: string;
  readonly journalName: string;
  readonly history: LockHistory;
  readonly #journal: MachineJournal;
  #held: { readonly hold: Hold; readonly bucket: S3Bucket } | undefined;

  constructor(private readonly options: S3StoreOptions) {
    this.lockName = options.lockName;
    this.journalName = options.journalName;
    this.#journal = new MachineJournal(options.journalFile, options.journalName);
    this.history = {
      versions: async () => await this.#using((await loadHistory()).lockVersions),
      at: async (serial) => {
        const { lockAt } = await loadHistory();
        return await this.#using((bucket) => lockAt(bucket, serial));
      },
    };
  }

  async read(): Promise<StoredState> {
    // Before the bucket: a replace writes there before it removes this machine's journal.
    const local = this.#journal.read();
    const found = await this.#using((bucket) => bucket.read());
    const { lock, journal } = contentsOf(found);
    const fullest = fullestJournal({ journal }, local);
    return { version: versionOf(lock), lock, journal: fullest, holder: holderOf(contentsOf(found).holder) };
  }

  async acquire(): Promise<void> {
    const bucket = this.options.connect();
    try {
      await this.#acquire(bucket, describeThisProcess());
    } catch (thrown) {
      bucket.close();
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
      held?.bucket.close();
    }
  }

  async unlock(nonce: string): Promise<boolean> {
    const { host } = describeThisProcess();
    return await this.#using(async (bucket) => {
      return await this.#contend(async () => {
        const found = await bucket.read();
        if (holderOf(contentsOf(found).holder)?.nonce !== nonce) return false;
        const head = new S3Head(bucket, found, host);
        await head.write({ ...head.contents, holder: null }, "unlock", this.#shortPatience);
        return true;
      });
    });
  }

  async #acquire(bucket: S3Bucket, record: ProcessRecord): Promise<void> {
    // Nothing of the state is touched before both conditions have been refused where they must be.
    const [found] = await Promise.all([bucket.read(), bucket.probe()]);
    let next: Found | undefined = found;
    await this.#contend(async () => {
      const present = next ?? (await bucket.read());
      next = undefined;
      await this.#take(bucket, present, record);
    });
  }

  /** Takes a state that nobody holds, or whose holder is certainly dead and whose journal is here. */
  async #take(bucket: S3Bucket, found: Found, record: ProcessRecord): Promise<void> {
    const { journal, isAtHand } = leftBehind(contentsOf(found), this.#journal.read());
    const present = holderOf(contentsOf(found).holder);
    const isLeft = present?.life === "dead" && (isAtHand || contentsOf(found).journal === null);
    if (present && !isLeft) throw new StoreHeldError(present);
    const head = new S3Head(bucket, found, record.host);
    const holder = `${JSON.stringify(record)}\n`;
    try {
      await head.write({ ...head.contents, journal, holder }, "acquire", this.#shortPatience);
      // A server that keeps nothing must be found out before anything is sent.
      if (!isSameDocument((await bucket.read()).document, head.last)) {
        throw new StoreFailedError(
          `${this.lockName} does not keep what is written to it`,
          "check `endpoint`, `bucket` and `key` in `spec.lock`",
        );
      }
      beginJournal(this.#journal, head.contents, isAtHand);
    } catch (thrown) {
      throw await this.#leave(head, thrown, record);
    }
    const {
      lockName,
      journalName,
      pushInterval = 3000,
      patience = 60_000,
      environment = null,
    } = this.options;
    const [medium, { nonce }] = [head, record];
    const parts = {
      medium,
      journal: this.#journal,
      nonce,
      lockName,
      journalName,
      pushInterval,
      patience,
      environment,
    };
    this.#held = { hold: new Hold(parts), bucket };
  }

  /** Gives back what may have been taken, and gives what to throw. */
  async #leave(head: S3Head, thrown: unknown, { nonce }: ProcessRecord): Promise<unknown> {
    if (!(thrown instanceof StoreFailedError)) return thrown;
    try {
      await head.release({ ...head.contents, holder: null }, 0);
      return thrown;
    } catch (cause) {
      if (cause instanceof StoreChangedError) return thrown;
      if (!(cause instanceof StoreFailedError)) throw cause;
    }
    const held = `it may be held by this process all the same: then \`${unlockCommand(nonce, this.options.environment)}\``;
    const hint = thrown.hint === undefined ? held : `${thrown.hint}; ${held}`;
    return new StoreFailedError(thrown.message, hint);
  }

  /** Runs a step again as long as another process is faster. */
  async #contend<Result>(step: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await step();
      } catch (thrown) {
        if (!(thrown instanceof StoreChangedError)) throw thrown;
        if (attempt >= attempts) {
          throw new StoreFailedError(`${this.lockName} was changed elsewhere at every attempt`);
        }
      }
      await sleep(50 + Math.random() * 200 * attempt);
    }
  }

  get #shortPatience(): number {
    return Math.min(this.options.patience ?? 60_000, 10_000);
  }

  get #hold(): Hold {
    if (!this.#held) throw new StoreFailedError(`${this.lockName} is not held`);
    return this.#held.hold;
  }

  async #using<Result>(run: (bucket: S3Bucket) => Promise<Result>): Promise<Result> {
    if (this.#held) return await run(this.#held.bucket);
    const bucket = this.options.connect();
    try {
      return await run(bucket);
    } finally {
      bucket.close();
    }
  }
}

function contentsOf({ document }: Found): Contents {
  return document ?? nothing;
}
