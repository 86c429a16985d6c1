import { setTimeout as sleep } from "node:timers/promises";
import { StoreChangedError, StoreFailedError } from "../../core/state/lock-store.js";
import type { Contents } from "../network/contents.js";
import type { HeldMedium } from "../network/hold.js";
import type { GitRef } from "./git-ref.js";
import type { GitRemote } from "./git-remote.js";

/** The parts that a head works with. */
export interface GitHeadParts {
  readonly ref: GitRef;
  readonly remote: GitRemote;
  readonly remoteName: string;
}

/** How often a push is retried that the remote itself refuses. */
const refusals = 3;

/** The remote's ref while this process holds it: only this process moves it on. */
export class GitHead implements HeldMedium {
  /** Commits that were pushed on top of the head although the push seemed to fail. */
  readonly #doubtful = new Set<string>();
  #contents: Contents;
  #head: string;
  #loss: StoreChangedError | undefined;

  constructor(
    private readonly parts: GitHeadParts,
    contents: Contents,
    head: string,
  ) {
    this.#contents = contents;
    this.#head = head;
  }

  get contents(): Contents {
    return this.#contents;
  }

  get loss(): StoreChangedError | undefined {
    return this.#loss;
  }

  /** Pushes contents on top of the head of this process; throws StoreChangedError if the ref is elsewhere. */
  async write(next: Contents, message: string, patience: number): Promise<void> {
    if (this.#loss) throw this.#loss;
    const { ref, remote } = this.parts;
    const end = Date.now() + patience;
    let commit = await ref.commit(next, this.#head, message);
    for (let attempt = 1, refused = 0; ; attempt++) {
      const push = await remote.push(commit, this.#head);
      if (push.type === "pushed") {
        [this.#head, this.#contents] = [commit, next];
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
        if (Date.now() >= end || refused >= refusals) throw new StoreFailedError(push.why);
        await sleep(
          Math.min(200 * 2 ** attempt, 5000, Math.max(0, end - Date.now())) * (0.5 + Math.random() / 2),
        );
      }
    }
  }

  async release(next: Contents, patience: number): Promise<void> {
    await this.write(next, "release", patience);
  }

  #lose(): StoreChangedError {
    const { ref, remoteName } = this.parts;
    this.#loss = new StoreChangedError(
      `${ref.name} was unlocked, or changed elsewhere, on the remote \`${remoteName}\``,
    );
    return this.#loss;
  }
}
