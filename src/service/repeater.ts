import { setMaxListeners } from "node:events";
import type { Look, Outcome, Slowdown } from "../core/observation/service.js";
import { conclude, refusedBy, type Verdict } from "./outcome.js";
import { Pace, type RequestTurn } from "./pace.js";
import { backoff, defaultRetry, parseRetryAfter, waitFor, type Retry } from "./retry.js";

/** How the requests of a run are repeated; times in milliseconds. */
export interface RepeaterOptions {
  readonly concurrency: number;
  readonly retry?: Partial<Retry>;
  /** How long every request may be refused for its rate before the run gives up; 5 minutes unless given. */
  readonly patience?: number;
  /** Ends the waits: no repeats, and no waiting request is sent; what is in flight finishes. */
  readonly signal?: AbortSignal;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Gives a number from 0 to 1. */
  readonly random?: () => number;
  /** Called when the rate of requests changes. */
  readonly onPace?: (slowdown: Slowdown) => void;
  /** A clock that is never set back, as it says how long to wait. */
  readonly now?: () => number;
}

const unlessGiven = {
  patience: 300_000,
  sleep: waitFor,
  random: () => Math.random(),
  now: () => performance.now(),
};

/** How long what was looked at counts as seen, in milliseconds; twice as long after each look that was taken again. */
const SEEN = 5000;

/** Repeats the requests of a run where that is safe and useful, at a rate that the service accepts. */
export class Repeater {
  readonly #options: RepeaterOptions & typeof unlessGiven;
  readonly #retry: Retry;
  readonly #pace: Pace;
  readonly #gaveUp = new AbortController();
  readonly #stopped: AbortSignal;
  /** When what a look is about was seen first. */
  readonly #seen = new WeakMap<Look, number>();
  /** Since when every request is refused. */
  #refusedSince: number | undefined;
  #lastRefusal = "";

  /** Takes a signal that ends the waits beside that of the options. */
  constructor(options: RepeaterOptions, closed: AbortSignal) {
    this.#options = { ...unlessGiven, ...options };
    const { concurrency, patience, now, signal = closed } = this.#options;
    const retry = { ...defaultRetry, ...options.retry };
    // A few tries are made even if they take longer than the patience.
    const maxDelay = Math.max(1, Math.min(retry.maxDelay, patience / 10));
    this.#retry = { ...retry, maxDelay };
    this.#stopped = AbortSignal.any([closed, signal, this.#gaveUp.signal]);
    // Every wait of the run listens to this signal.
    setMaxListeners(0, this.#stopped);
    this.#pace = new Pace({
      concurrency,
      now,
      slowest: 1000 / maxDelay,
      sleep: (ms) => this.#sleep(ms),
      signal: this.#stopped,
    });
  }

  /** Tries until the outcome cannot improve, or the time is up; `look` is taken again when it is too old. */
  async send(attempt: (hasWaited: boolean) => Promise<Verdict>, look?: Look): Promise<Outcome> {
    let seenAt = this.#seenAt(look);
    let seen = SEEN;
    let last: Outcome = { type: "not-sent", message: "stopped before it was sent" };
    let doubt: Outcome | undefined;
    let faults = 0;
    for (let tried = 1; ; tried++) {
      let turn = await this.#pace.acquire(look !== undefined);
      if (turn && look && this.#options.now() - seenAt > seen) {
        // The look takes a turn of its own, which may be the only one, and all that a slow service lets through for now.
        turn.release();
        seen *= 2;
        const refused = await look.again();
        if (refused) return refusedBy(refused, doubt);
        seenAt = this.#options.now();
        turn = await this.#pace.acquire(true);
      }
      if (!turn) return this.#explain(conclude(last, Math.max(1, tried - 1), doubt));
      const verdict = await this.#take(turn, () => attempt(turn.hasWaited || tried > 1));
      last = verdict.outcome;
      if (verdict.repeat === "soon") faults++;
      if (verdict.repeat === "no" || faults >= this.#retry.limit || this.#stopped.aborted) {
        return this.#explain(conclude(last, tried, doubt));
      }
      if (last.type === "unknown") doubt = last;
      await this.#pause(verdict, tried);
    }
  }

  #seenAt(look: Look | undefined): number {
    const now = this.#options.now();
    if (look && !this.#seen.has(look)) this.#seen.set(look, now);
    return (look && this.#seen.get(look)) ?? now;
  }

  async #take(turn: RequestTurn, attempt: () => Promise<Verdict>): Promise<Verdict> {
    try {
      const verdict = await attempt();
      const { outcome, repeat } = verdict;
      if (outcome.type === "success") {
        this.#refusedSince = undefined;
        turn.succeeded();
      } else if (repeat === "paced") {
        turn.throttled();
        this.#refused(outcome.message);
      }
      const { perSecond } = this.#pace;
      if (perSecond !== undefined) this.#options.onPace?.({ perSecond, why: this.#lastRefusal });
      return verdict;
    } finally {
      turn.release();
    }
  }

  #refused(message: string): void {
    const now = this.#options.now();
    this.#lastRefusal = message;
    this.#refusedSince ??= now;
    if (now - this.#refusedSince >= this.#options.patience) this.#gaveUp.abort();
  }

  #explain(outcome: Outcome): Outcome {
    if (!this.#gaveUp.signal.aborted || outcome.type === "success" || outcome.type === "unknown") {
      return outcome;
    }
    const why = `nothing succeeded for ${this.#options.patience / 1000} s (${this.#lastRefusal})`;
    const hint = "try again later; `--patience` waits longer";
    return { ...outcome, hint, common: { why, after: 1 } };
  }

  async #pause(verdict: Verdict, tried: number): Promise<void> {
    const asked = parseRetryAfter(verdict.retryAfter, Date.now()) ?? 0;
    const wait = asked > 0 ? asked : backoff(tried, this.#retry, this.#options.random);
    // A Retry-After holds the whole run, and the next turn waits for it.
    if (asked > 0) this.#pace.hold(asked);
    else await this.#sleep(wait);
  }

  async #sleep(ms: number): Promise<void> {
    await this.#options.sleep(ms, this.#stopped);
  }
}
