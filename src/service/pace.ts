/** Waits some milliseconds; ends early, and never fails, when what it was given to is stopped. */
export type Sleep = (ms: number) => Promise<void>;

/** What a pace is made of; `now` in milliseconds. */
export interface PaceOptions {
  readonly concurrency: number;
  readonly sleep: Sleep;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** After how many successes a lowered limit rises by one. */
  readonly climbAfter?: number;
}

/** The right to send one request; it is given back once. */
export interface Turn {
  /** Counts towards a rise of the limit. */
  succeeded(): void;
  /** Halves the limit, once for all the turns that were taken under the same limit. */
  throttled(): void;
  release(): void;
}

/** How many requests a whole run has under way at once: halved by a 429, climbing back with successes. */
export class Pace {
  readonly #options: PaceOptions;
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
    options.signal.addEventListener("abort", () => this.#dismiss(), { once: true });
  }

  /** How many may be under way now. */
  get limit(): number {
    return this.#limit;
  }

  /** Waits for a turn; undefined if the run was stopped. */
  async acquire(): Promise<Turn | undefined> {
    if (!(await this.#place())) return undefined;
    let awaited: Promise<void> | undefined;
    while (this.#hold !== awaited) {
      awaited = this.#hold;
      await awaited;
    }
    if (this.#options.signal.aborted) {
      this.#release();
      return undefined;
    }
    return this.#turn();
  }

  /** Lets no turn begin for some milliseconds; of several holds the one that ends last counts. */
  hold(ms: number): void {
    const until = this.#options.now() + ms;
    if (until <= this.#heldUntil) return;
    this.#heldUntil = until;
    this.#hold = this.#options.sleep(ms);
  }

  async #place(): Promise<boolean> {
    if (this.#options.signal.aborted) return false;
    if (this.#taken < this.#limit) {
      this.#taken++;
      return true;
    }
    return await new Promise<boolean>((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #turn(): Turn {
    const lowered = this.#lowered;
    return {
      succeeded: () => this.#climb(),
      throttled: () => {
        if (lowered === this.#lowered) this.#lower();
      },
      release: () => this.#release(),
    };
  }

  #lower(): void {
    this.#lowered++;
    this.#successes = 0;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }

  #climb(): void {
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

  #dismiss(): void {
    for (const waiting of this.#waiting.splice(0)) waiting(false);
  }
}
