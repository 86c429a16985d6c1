import { setTimeout as sleep } from "node:timers/promises";
import {
  StoreChangedError,
  StoreFailedError,
  StoreHeldError,
  unlockCommand,
  type LockStore,
} from "../../core/state/lock-store.js";
import { describeThisProcess, type ProcessRecord } from "../local/process-record.js";
import { nothing, type Contents } from "../network/contents.js";
import { holderOf } from "../network/holder-record.js";
import { beginJournal, leftBehind } from "../network/left-behind.js";
import {
  ServerStore,
  type ServerProtocol,
  type ServerStoreOptions,
  type Taker,
} from "../network/server-store.js";
import { isSameDocument } from "../network/state-document.js";
import type { Found, S3Bucket } from "./s3-bucket.js";
import { S3Head } from "./s3-head.js";

/** How often a step is retried because the object was changed by another process. */
const attempts = 8;

// With a parser of XML, which nothing else needs.
const loadHistory = () => import("./s3-history.js");

/** Opens a lock store in a bucket of S3; nothing is connected or read before a function is called. */
export function createS3Store(options: ServerStoreOptions<S3Bucket>): LockStore {
  return new ServerStore(options, new S3Protocol(options));
}

/**
 * Why two processes never hold it at once, and nothing is lost. One object has lock, journal and holder, and it is
 * only ever replaced by a write that names the version it replaces, so of two writers that saw the same, one wins;
 * the first is made by a write that is refused if there is any. A process that was stopped, and goes on after another
 * was unlocked for, learns it from its next write, and nothing is sent without one that arrived lately (`Hold`). Only
 * this machine's journal is ahead of the bucket, and all of its creates are claimed there before the first is sent.
 */
class S3Protocol implements ServerProtocol<S3Bucket> {
  readonly history = {
    versions: async (bucket: S3Bucket) => (await loadHistory()).lockVersions(bucket),
    at: async (bucket: S3Bucket, serial: number) => (await loadHistory()).lockAt(bucket, serial),
  };

  constructor(private readonly options: Pick<ServerStoreOptions<S3Bucket>, "lockName" | "environment">) {}

  async read(bucket: S3Bucket): Promise<Contents> {
    return contentsOf(await bucket.read());
  }

  async take(bucket: S3Bucket, taker: Taker): Promise<S3Head> {
    // Nothing of the state is touched before both conditions have been refused where they must be.
    const [found] = await Promise.all([bucket.read(), bucket.probe()]);
    let next: Found | undefined = found;
    return await this.#contend(async () => {
      const present = next ?? (await bucket.read());
      next = undefined;
      return await this.#take(bucket, present, taker);
    });
  }

  async unlock(bucket: S3Bucket, nonce: string, patience: number): Promise<boolean> {
    const { host } = describeThisProcess();
    return await this.#contend(async () => {
      const found = await bucket.read();
      if (holderOf(contentsOf(found).holder)?.nonce !== nonce) return false;
      const head = new S3Head(bucket, found, host);
      await head.write({ ...head.contents, holder: null }, "unlock", patience);
      return true;
    });
  }

  /** Takes a state that nobody holds, or whose holder is certainly dead and whose journal is here. */
  async #take(bucket: S3Bucket, found: Found, { record, journal, patience }: Taker): Promise<S3Head> {
    const left = leftBehind(contentsOf(found), journal.read());
    const present = holderOf(contentsOf(found).holder);
    const isLeft = present?.life === "dead" && (left.isAtHand || contentsOf(found).journal === null);
    if (present && !isLeft) throw new StoreHeldError(present);
    const head = new S3Head(bucket, found, record.host);
    const holder = `${JSON.stringify(record)}\n`;
    try {
      await head.write({ ...head.contents, journal: left.journal, holder }, "acquire", patience);
      // A server that keeps nothing must be found out before anything is sent.
      if (!isSameDocument((await bucket.read()).document, head.last)) {
        throw new StoreFailedError(
          `${this.options.lockName} does not keep what is written to it`,
          "check `endpoint`, `bucket` and `key` in `spec.lock`",
        );
      }
      beginJournal(journal, head.contents, left.isAtHand);
      return head;
    } catch (thrown) {
      throw await this.#leave(head, thrown, record);
    }
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
          throw new StoreFailedError(`${this.options.lockName} was changed elsewhere at every attempt`);
        }
      }
      await sleep(50 + Math.random() * 200 * attempt);
    }
  }
}

function contentsOf({ document }: Found): Contents {
  return document ?? nothing;
}
