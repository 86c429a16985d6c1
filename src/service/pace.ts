import { BestRate } from "./best-rate.js";

/** Waits some milliseconds; ends early, without failing, when its signal is aborted. */
export type Sleep = (ms: number) => Promise<void>;

/** The settings of a pace; `now` in milliseconds. */
export interface PaceOptions {
  readonly concurrency: number;
  readonly sleep: Sleep;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** The minimum number of requests that start in a second, however many are refused. */
  readonly slowest: number;
  /** After how many successes a lowered limit rises by one. */
  readonly climbAfter?: number;
}

/** The permission to send one request; returned once. */
export interface RequestTurn {
  /** Whether it was not there at once. */
  readonly hasWaited: boolean;
  /** Raises a lowered rate, and counts towards a higher limit. */
  succeeded(): void;
  /** Halves limit and rate, once for all the turns that were taken under the same limit. */
  throttled(): void;
  release(): void;
}

/** Limits the requests in flight and those that start in a second: refusals halve both, successes raise them. */
export class Pace {
  readonly #options: PaceOptions;
  readonly #rate: Rate;
  readonly #waiting: ((goOn: boolean) => void)[] = [];
  #limit: number;
  #taken = 0;
  #successes = 0;
  #lowered = 0;
  #heldUntil = 0;
  #hold: Promise<void> | undefined;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#limit = Math.max(1, options.concurrency);
    this.#rate = new Rate({ least: options.slowest, atFirst: this.#limit });
    options.signal.addEventListener(
      "abort",
      () => this.#waiting.splice(0).forEach((waiting) => waiting(false)),
      {
        once: true,
      },
    );
  }

  /** How many may be in flight now. */
  get limit(): number {
    return this.#limit;
  }

  /** How many start in a second, once there is a limit. */
  get perSecond(): number | undefined {
    return this.#rate.perSecond;
  }

  /** Waits for a turn, before or behind all others that wait; undefined if the run was stopped. */
  async acquire(isNext = false): Promise<RequestTurn | undefined> {
    const isFull = this.#taken >= this.#limit;
    if (!(await this.#place(isNext))) return undefined;
    const wasHeld = await this.#whileHeld();
    const wait = this.#rate.take(this.#options.now());
    if (wait > 0) await this.#options.sleep(wait);
    const isHeld = await this.#whileHeld();
    if (this.#options.signal.aborted) {
      this.#release();
      return undefined;
    }
    return this.#turn(isFull || wasHeld || wait > 0 || isHeld);
  }

  /** Starts no turn for some milliseconds; of several holds, the longest counts. */
  hold(ms: number): void {
    const until = this.#options.now() + ms;
    if (until <= this.#heldUntil) return;
    this.#heldUntil = until;
    this.#hold = this.#options.sleep(ms);
  }

  /** Gives whether there was a hold, even if it was over. */
  async #whileHeld(): Promise<boolean> {
    let awaited: Promise<void> | undefined;
    while (this.#hold !== awaited) {
      awaited = this.#hold;
      await awaited;
    }
    return awaited !== undefined;
  }

  async #place(isNext: boolean): Promise<boolean> {
    if (this.#options.signal.aborted) return false;
    if (this.#taken < this.#limit) {
      this.#taken++;
      return true;
    }
    return await new Promise<boolean>((resolve) => {
      if (isNext) this.#waiting.unshift(resolve);
      else this.#waiting.push(resolve);
    });
  }

  #turn(hasWaited: boolean): RequestTurn {
    const lowered = this.#lowered;
    return {
      hasWaited,
      succeeded: () => this.#climb(),
      throttled: () => {
        this.#rate.refused(this.#options.now());
        if (lowered === this.#lowered) this.#lower();
      },
      release: () => this.#release(),
    };
  }

  #lower(): void {
    this.#lowered++;
    this.#successes = 0;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#rate.lower(this.#options.now());
  }

  #climb(): void {
    this.#rate.raise(this.#options.now());
    if (this.#limit >= this.#options.concurrency) return;
    if (++this.#successes < (this.#options.climbAfter ?? 10)) return;
    this.#successes = 0;
    this.#limit++;
    this.#admit();
  }

  #release(): void {
    this.#taken--;
    this.#admit();
  }

  #admit(): void {
    while (this.#taken < this.#limit) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#taken++;
      next(true);
    }
  }
}

/** How much one success raises a lowered rate, as a part of the rate that was refused. */
const STEP = 1 / 16;

const SECOND = 1000;

/** Limits how many requests start in a second, once one was refused; never below what succeeded of late. */
class Rate {
  perSecond: number | undefined;
  #step = 0;
  #nextAt = 0;
  #hasSucceeded = true;
  /** The starts within the last second, while there is no limit. */
  #begun: number[] = [];
  readonly #best = new BestRate();

  constructor(
    /** The lowest rate, also assumed if fewer requests started before the first refusal. */
    private readonly options: { readonly least: number; readonly atFirst: number },
  ) {}

  /** Takes the next start; gives how long to wait for it. */
  take(now: number): number {
    if (this.perSecond === undefined) {
      this.#begun.push(now);
      this.#forget(now);
      return 0;
    }
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + SECOND / this.perSecond;
    return at - now;
  }

  lower(now: number): void {
    this.#forget(now);
    const before = this.perSecond ?? Math.max(this.options.atFirst, this.#begun.length);
    // After an outage without any success, the steps remain those of the rate before it.
    if (this.#hasSucceeded) this.#step = before * STEP;
    this.#hasSucceeded = false;
    // A service that refuses by chance, or for what others send, does so at every rate: to go slower does not help.
    this.perSecond = Math.max(this.options.least, before / 2, Math.min(before, this.#best.perSecond));
    this.#nextAt = Math.max(this.#nextAt, now + SECOND / this.perSecond);
    this.#begun = [];
  }

  refused(now: number): void {
    this.#best.add(false, now);
  }

  raise(now: number): void {
    this.#best.add(true, now);
    this.#hasSucceeded = true;
    if (this.perSecond !== undefined) this.perSecond += this.#step;
  }

  #forget(now: number): void {
    while (now - (this.#begun[0] ?? now) >= SECOND) this.#begun.shift();
  }
}
