import { setImmediate } from "node:timers/promises";

const shortestPause = 10;
const longestPause = 500;

/**
 * Checks a workspace again whenever something has changed, once the changes pause. A pause is as long as a check
 * takes, so that typing in a large workspace does not keep a processor busy; nothing runs while nothing changes.
 */
export class Checking {
  #timer: NodeJS.Timeout | undefined;
  #pause = shortestPause;
  #change = 0;
  #isRunning = false;
  #isStopped = false;
  /** Resolved after the first check, when there is something to answer from. */
  readonly first: Promise<void>;
  #finishFirst: () => void = () => {};

  /** Takes how to check, in steps between which requests are answered, what to do after each step, and with a bug. */
  constructor(
    private readonly check: () => Generator<void>,
    private readonly publish: () => void,
    private readonly fail: (cause: unknown) => void,
  ) {
    this.first = new Promise((resolve) => (this.#finishFirst = resolve));
  }

  /** Takes notice of a change. */
  changed(): void {
    this.#change++;
    if (this.#isRunning) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run().catch(this.fail), this.#pause);
  }

  /** Ends it; what is being checked is not published. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    const change = this.#change;
    this.#isRunning = true;
    try {
      await this.#checkOnce(change);
    } finally {
      this.#isRunning = false;
      if (this.#change === change) this.#finishFirst();
      else this.changed();
    }
  }

  // A change makes the rest of a check worthless.
  async #checkOnce(change: number): Promise<void> {
    const began = performance.now();
    for (const _ of this.check()) {
      this.#pause = Math.min(longestPause, Math.max(shortestPause, performance.now() - began));
      await setImmediate();
      if (this.#isStopped) return;
      this.publish();
      if (this.#change !== change) return;
    }
    this.publish();
  }
}
