import { setImmediate } from "node:timers/promises";

const shortestPause = 10;
const longestPause = 500;
// In milliseconds: a check as short as this is over before the next key.
const shortCheck = 50;
// How often changes one after the other begin the pause anew, and end a check early: who types gets answers, too.
const mostPostponed = 4;
const mostEndedEarly = 2;
// Of the event loop: a message takes up to two, and the next waits for it.
const quietTurns = 3;
const mostTurns = 300;

/** Checks again once changes pause, for as long as a check takes, so that typing keeps no processor busy. */
export class RepeatedCheck {
  #timer: NodeJS.Timeout | undefined;
  #pause = shortestPause;
  #postponed = 0;
  #endedEarly = 0;
  #change = 0;
  #isRunning = false;
  #isStopped = false;
  /** Resolved after the first step, when there is something to answer from; and when it is stopped. */
  readonly begun: Promise<void>;
  /** Resolved after all steps of a check; and when it is stopped. */
  readonly first: Promise<void>;
  #begin: () => void = () => {};
  #finishFirst: () => void = () => {};

  /** Takes how to check, in steps between which requests are answered, what to do after each step, and with a bug. */
  constructor(
    private readonly check: () => Iterable<void> | AsyncIterable<void>,
    private readonly publish: () => void,
    private readonly fail: (cause: unknown) => void,
  ) {
    this.begun = new Promise((resolve) => (this.#begin = resolve));
    this.first = new Promise((resolve) => (this.#finishFirst = resolve));
  }

  changed(): void {
    this.#change++;
    if (!this.#isRunning) this.#schedule();
  }

  /** Ends it; what is being checked is not published. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#isStopped = true;
    this.#answer();
  }

  #schedule(): void {
    if (this.#isStopped) return;
    if (this.#timer !== undefined) {
      if (this.#postponed === mostPostponed) return;
      this.#postponed++;
      clearTimeout(this.#timer);
    }
    this.#timer = setTimeout(() => void this.#run().catch(this.fail), this.#pause);
  }

  #answer(): void {
    this.#begin();
    this.#finishFirst();
  }

  async #run(): Promise<void> {
    const change = this.#change;
    this.#timer = undefined;
    this.#postponed = 0;
    this.#isRunning = true;
    try {
      await this.#checkOnce(change);
    } finally {
      this.#isRunning = false;
      if (this.#change !== change) this.#schedule();
    }
  }

  // A change makes the rest of a check worthless; but if there is always one, the later steps must have their turn.
  async #checkOnce(change: number): Promise<void> {
    const began = performance.now();
    for await (const _ of this.check()) {
      const took = performance.now() - began;
      this.#pause = took <= shortCheck ? shortestPause : Math.min(longestPause, took);
      this.publish();
      this.#begin();
      await this.#takeMessages();
      if (this.#isStopped) return;
      if (this.#change !== change && this.#endedEarly < mostEndedEarly) {
        this.#endedEarly++;
        return;
      }
    }
    this.#endedEarly = 0;
    this.publish();
    this.#answer();
  }

  // A message is taken in each turn of the event loop; those that came during a step wait in line.
  async #takeMessages(): Promise<void> {
    let quiet = 0;
    for (let turn = 0; turn < mostTurns && quiet < quietTurns && !this.#isStopped; turn++) {
      const change = this.#change;
      await setImmediate();
      quiet = this.#change === change ? quiet + 1 : 0;
    }
  }
}
