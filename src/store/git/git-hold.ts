import { setTimeout as sleep } from "node:timers/promises";
import { StoreChangedError, StoreFailedError } from "../../core/state/lock-store.js";
import { withoutUnsent, type GitJournal } from "./git-journal.js";
import type { Contents, GitRef } from "./git-ref.js";
import type { GitRemote } from "./git-remote.js";
import { versionOf } from "../local/lock-file.js";

/** The parts that a hold works with. */
export interface HoldParts {
  readonly ref: GitRef;
  readonly remote: GitRemote;
  readonly journal: GitJournal;
  readonly nonce: string;
  readonly remoteName: string;
  readonly journalName: string;
  /** The time between two pushes of progress, in milliseconds. */
  readonly pushInterval: number;
  /** How long a push that must arrive is retried, in milliseconds. */
  readonly patience: number;
}

/** How often a push is retried that the remote itself refuses. */
const refusals = 3;

/** The time between acquiring and releasing a ref, in which only this process writes it. */
export class GitHold {
  /** Commits that were pushed on top of the head although the push seemed to fail. */
  readonly #doubtful = new Set<string>();
  #contents: Contents;
  #head: string;
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** Why nothing more may be written: the ref was changed elsewhere. */
  #loss: StoreChangedError | undefined;
  /** Whether storing the lock failed, so that there is no second wait for the remote. */
  #isCutOff = false;
  #isOver = false;

  constructor(
    private readonly parts: HoldParts,
    contents: Contents,
    head: string,
  ) {
    this.#contents = contents;
    this.#head = head;
  }

  /** Resolves when the journal is durable here, and on the remote as far as sending requires. */
  async flush(): Promise<void> {
    const { journal, patience } = this.parts;
    const needed = await journal.flush();
    if (this.#loss) throw this.#loss;
    if (!journal.isPushed(needed)) {
      await this.#inTurn(async () => {
        if (!journal.isPushed(needed)) await this.#pushJournal(patience);
      });
    }
    this.#schedule();
  }

  async replace(lock: string, version: string | null): Promise<string> {
    const { ref, journal, journalName, patience } = this.parts;
    return await this.#inTurn(async () => {
      if (versionOf(this.#contents.lock) !== version) {
        throw new StoreChangedError(`${ref.name} was changed elsewhere since it was read`);
      }
      const serial = /"serial":\s*(\d+)/.exec(lock)?.[1] ?? "unknown";
      try {
        await this.#push({ ...this.#contents, lock, journal: null }, `apply: serial ${serial}`, patience);
      } catch (thrown) {
        const isStored = this.#contents.lock === lock;
        if (!(thrown instanceof StoreFailedError) || isStored || !journal.isOwn) throw thrown;
        throw new StoreFailedError(
          `${thrown.message}, so the new lock is not in ${ref.name}: ${journalName} has everything, and the next apply on this machine stores it`,
        );
      }
      await journal.remove();
      return versionOf(lock);
    });
  }

  /** Releases the ref, with the whole journal. */
  async release(): Promise<void> {
    const { journal } = this.parts;
    this.#isOver = true;
    clearTimeout(this.#timer);
    try {
      await this.#inTurn(() => this.#giveBack());
    } catch (thrown) {
      // It was released elsewhere; what this machine's journal has on top is kept.
      if (!(thrown instanceof StoreChangedError)) throw thrown;
    } finally {
      await journal.close();
    }
  }

  async #giveBack(): Promise<void> {
    const { ref, journal, journalName, nonce, patience } = this.parts;
    const { isOwn } = journal;
    try {
      if (isOwn) await journal.flush();
      const left = isOwn ? withoutUnsent(journal.text) : this.#contents.journal;
      const next = { ...this.#contents, journal: left, holder: null };
      await this.#push(next, "release", this.#isCutOff ? 0 : patience);
      if (isOwn) await journal.remove();
    } catch (thrown) {
      if (!(thrown instanceof StoreFailedError)) throw thrown;
      const kept = isOwn ? `; ${journalName} has everything that was done` : "";
      throw new StoreFailedError(
        `${thrown.message}, so ${ref.name} is still held${kept}: the next apply on this machine takes it over, any other needs \`agentform lock unlock ${nonce}\` first`,
      );
    }
  }

  #schedule(): void {
    const { journal, pushInterval } = this.parts;
    if (this.#timer !== undefined || this.#isOver || this.#loss || !journal.isAhead) return;
    this.#timer = setTimeout(() => {
      void this.#inTurn(() => this.#pushProgress());
    }, pushInterval);
    this.#timer.unref();
  }

  async #pushProgress(): Promise<void> {
    const { journal } = this.parts;
    try {
      if (journal.isAhead && !this.#isOver) await this.#pushJournal(0);
    } catch {
      // This machine's journal has it, so the apply goes on; the next flush tells whether the ref was lost.
    }
    this.#timer = undefined;
    this.#schedule();
  }

  async #pushJournal(patience: number): Promise<void> {
    const { journal } = this.parts;
    const { text } = journal;
    const message = `apply: ${journal.describe()}`;
    // The remote must not be ahead of what this machine has stored.
    await journal.flush();
    await this.#push({ ...this.#contents, journal: text }, message, patience);
    journal.notePushed(text);
  }

  /** Pushes contents on top of the head of this process; throws StoreChangedError if the ref is elsewhere. */
  async #push(next: Contents, message: string, patience: number): Promise<void> {
    if (this.#loss) throw this.#loss;
    const { ref, remote } = this.parts;
    const end = Date.now() + patience;
    let commit = await ref.commit(next, this.#head, message);
    for (let attempt = 1, refused = 0; ; attempt++) {
      const push = await remote.push(commit, this.#head);
      if (push.type === "pushed") {
        [this.#head, this.#contents, this.#isCutOff] = [commit, next, false];
        this.#doubtful.clear();
        return await ref.follow(commit);
      }
      if (push.type === "moved") {
        // An earlier push of this process did arrive, but its answer was lost.
        if (push.head === null || !this.#doubtful.has(push.head)) throw this.#lose();
        this.#head = push.head;
        commit = await ref.commit(next, this.#head, message);
      } else {
        this.#doubtful.add(commit);
        if (push.type === "failed" && push.isRefused) refused++;
        if (Date.now() >= end || refused >= refusals) {
          this.#isCutOff = patience > 0;
          throw new StoreFailedError(push.why);
        }
        await sleep(
          Math.min(200 * 2 ** attempt, 5000, Math.max(0, end - Date.now())) * (0.5 + Math.random() / 2),
        );
      }
    }
  }

  #lose(): StoreChangedError {
    const { ref, remoteName } = this.parts;
    this.#loss = new StoreChangedError(
      `${ref.name} was unlocked, or changed elsewhere, on the remote \`${remoteName}\``,
    );
    return this.#loss;
  }

  /** Runs pushes one after the other. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(run);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
