import { setTimeout as sleep } from "node:timers/promises";
import {
  StoreFailedError,
  StoreHeldError,
  type LockHistory,
  type StoredState,
  type LockStore,
} from "../../core/state/lock-store.js";
import { versionOf } from "../local/lock-file.js";
import { describeThisProcess } from "../local/process-record.js";
import { nothing, type Contents } from "../network/contents.js";
import { Hold } from "../network/hold.js";
import { holderOf } from "../network/holder-record.js";
import { beginJournal, fullestJournal, leftBehind } from "../network/left-behind.js";
import { MachineJournal } from "../network/machine-journal.js";
import { GitHead } from "./git-head.js";
import { GitRef } from "./git-ref.js";
import { GitRemote } from "./git-remote.js";
import { refHistory } from "./ref-history.js";

/** Where a git store keeps its state, and how long it waits. */
export interface GitStoreOptions {
  /** A folder of the repository. */
  readonly directory: string;
  readonly remote: string;
  /** The full name, such as `refs/agentform/support-desk/production`. */
  readonly ref: string;
  /** Absolute; this machine's journal. Its folder is made when needed, ignored by git. */
  readonly journalFile: string;
  readonly journalName: string;
  /** The environment, for the commands that messages name. */
  readonly environment?: string | null;
  /** The time between two pushes of progress, in milliseconds; 3000 unless given. */
  readonly pushInterval?: number;
  /** How long a push that must arrive is retried, in milliseconds; a minute unless given. */
  readonly patience?: number;
  /** The time-out of one run of git over the network, in milliseconds; a minute unless given. */
  readonly timeout?: number;
}

/** Gives the next contents, and what to do once the remote has them; undefined for no change. */
type Decide = (contents: Contents) =>
  | {
      readonly next: Contents;
      readonly message: string;
      readonly onPushed: (head: string) => void;
    }
  | undefined;

/** The time limit of one run of git over the network, in milliseconds, unless one is given. */
const defaultTimeout = 60_000;

/** How often a step is retried because the remote's ref has moved. */
const attempts = 8;

/** Opens a lock store on a ref of a git remote; nothing is run or read before a function is called. */
export function createGitStore(options: GitStoreOptions): LockStore {
  return new RefStore(options);
}

/**
 * Why two processes never hold it at once, and nothing is lost. The remote's ref is the only truth: a commit's
 * parent is what its writer saw, and the remote moves the ref only from there, so of two writers that saw the same,
 * one wins. This machine's ref only follows the remote's. Only this machine's journal is ahead of the remote, and
 * all of its creates are claimed on the remote before the first is sent.
 */
class RefStore implements LockStore {
  readonly needsClaim = true;
  readonly lockName: string;
  readonly journalName: string;
  readonly history: LockHistory;
  readonly #ref: GitRef;
  readonly #remote: GitRemote;
  readonly #journal: MachineJournal;
  #hold: Hold | undefined;

  constructor(private readonly options: GitStoreOptions) {
    const { directory, remote, ref, journalFile, journalName, timeout = defaultTimeout } = options;
    this.lockName = ref;
    this.journalName = journalName;
    this.history = refHistory(directory, ref);
    this.#ref = new GitRef(directory, ref);
    this.#remote = new GitRemote(directory, remote, ref, timeout);
    this.#journal = new MachineJournal(journalFile, journalName);
  }

  async read(): Promise<StoredState> {
    for (let attempt = 1; ; attempt++) {
      const head = await this.#ref.head();
      const { lock, journal, holder } = head === null ? nothing : await this.#ref.read(head);
      const local = this.#journal.read();
      // A replace moves the ref before it removes its journal.
      if (attempt < 20 && head !== (await this.#ref.head())) continue;
      const fullest = fullestJournal({ journal }, local);
      const state = { version: versionOf(lock), lock, journal: fullest, holder: holderOf(holder) };
      if (head !== null) return state;
      const { remote, ref } = this.options;
      return { ...state, otherwise: `run: \`git fetch ${remote} +${ref}:${ref}\`` };
    }
  }

  async refresh(): Promise<void> {
    await this.#ref.check();
    await this.#catchUp();
  }

  async acquire(): Promise<void> {
    await this.#ref.check();
    const record = describeThisProcess();
    const holder = `${JSON.stringify(record)}\n`;
    let began: Hold | undefined;
    const take: Decide = (contents) => {
      const { journal, isAtHand } = leftBehind(contents, this.#journal.read());
      const present = holderOf(contents.holder);
      const isLeft = present?.life === "dead" && (isAtHand || contents.journal === null);
      // It is this process's own if an earlier attempt arrived but its answer was lost.
      if (present && !isLeft && present.nonce !== record.nonce) {
        throw new StoreHeldError(present);
      }
      const next = { ...contents, journal, holder };
      const message = present ? `acquire from ${present.nonce}` : "acquire";
      return {
        next,
        message: `${message}\n\nprocess ${record.pid} on ${record.host}, nonce ${record.nonce}\n`,
        onPushed(head) {
          began = begin(next, head, isAtHand);
        },
      };
    };
    const begin = (next: Contents, head: string, isAtHand: boolean) =>
      this.#begin(record.nonce, next, head, isAtHand);
    try {
      await this.#change(take);
    } catch (thrown) {
      // The store was taken on the remote, and this machine failed afterwards.
      if (began && began === this.#hold) await this.release();
      throw thrown;
    }
  }

  append(line: string): void {
    if (this.#hold) this.#journal.append(line);
  }

  async flush(): Promise<void> {
    if (!this.#hold) throw new StoreFailedError(`${this.lockName} is not held`);
    await this.#hold.flush();
  }

  async replace(lock: string, version: string | null): Promise<string> {
    if (!this.#hold) throw new StoreFailedError(`${this.lockName} is not held`);
    return await this.#hold.replace(lock, version);
  }

  async release(): Promise<void> {
    const hold = this.#hold;
    this.#hold = undefined;
    await hold?.release();
  }

  async unlock(nonce: string): Promise<boolean> {
    let isFound = false;
    await this.#change((contents) => {
      if (holderOf(contents.holder)?.nonce !== nonce) return undefined;
      isFound = true;
      return { next: { ...contents, holder: null }, message: `unlock ${nonce}\n`, onPushed: () => undefined };
    });
    return isFound;
  }

  #begin(nonce: string, contents: Contents, head: string, isAtHand: boolean): Hold {
    const {
      remote: remoteName,
      journalName,
      pushInterval = 3000,
      patience = 60_000,
      environment = null,
    } = this.options;
    const [ref, remote, journal] = [this.#ref, this.#remote, this.#journal];
    const medium = new GitHead({ ref, remote, remoteName }, contents, head);
    const { lockName } = this;
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
    this.#hold = hold;
    beginJournal(journal, contents, isAtHand);
    return hold;
  }

  /** Changes the present content of the remote; throws StoreFailedError. */
  async #change(decide: Decide): Promise<void> {
    const { timeout = defaultTimeout } = this.options;
    // A push of another process ends within the same time.
    const end = Date.now() + timeout;
    let why = "the ref was changed elsewhere at every attempt";
    for (let [attempt, failures] = [1, 0]; attempt <= attempts && failures < 3;) {
      const head = await this.#catchUp();
      const change = decide(head === null ? nothing : await this.#ref.read(head));
      if (!change) return;
      const commit = await this.#ref.commit(change.next, head, change.message);
      const push = await this.#remote.push(commit, head);
      if (push.type === "pushed") {
        change.onPushed(commit);
        await this.#ref.follow(commit);
        return;
      }
      if (push.type === "busy" || push.type === "failed") why = push.why;
      if (push.type === "failed") failures++;
      if (push.type !== "busy" || Date.now() >= end) attempt++;
      await sleep(50 + Math.random() * 200 * attempt);
    }
    throw new StoreFailedError(`${why}, so ${this.lockName} was not changed`);
  }

  /** Moves this machine's ref to the remote's commit, and gives that. */
  async #catchUp(): Promise<string | null> {
    // This machine's ref is read first: it is never ahead, so the remote's later commit must contain it.
    const here = await this.#ref.head();
    const head = await this.#remote.head();
    if (head === null) {
      if (here === null) return null;
      throw new StoreFailedError(
        `${this.lockName} exists in this repository but not on the remote \`${this.options.remote}\`: push it again, or remove it here with \`git update-ref -d\``,
      );
    }
    if (!(await this.#ref.has(head))) await this.#remote.fetch();
    if (here !== null && !(await this.#ref.precedes(here, head))) {
      throw new StoreFailedError(
        `${this.lockName} of the remote \`${this.options.remote}\` lacks commits that this repository has: it was set back`,
      );
    }
    await this.#ref.follow(head);
    return head;
  }
}
