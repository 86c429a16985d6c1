/** How far one success raises a lowered rate, as a part of the rate that was too much. */
const STEP = 1 / 16;

const SECOND = 1000;

/**
 * How many requests begin in a second: without a bound until the service refuses one, then halved by what it
 * refuses and raised by equal steps with what succeeds. Times in milliseconds of one clock.
 */
export class Rate {
  #perSecond: number | undefined;
  #step = 0;
  #nextAt = 0;
  #hasSucceeded = true;
  /** What began within the last second, while there is no bound. */
  #begun: number[] = [];

  constructor(
    /** The slowest rate, and the one that counts where fewer began before the first refusal. */
    private readonly options: { readonly least: number; readonly atFirst: number },
  ) {}

  /** The bound, if there is one. */
  get perSecond(): number | undefined {
    return this.#perSecond;
  }

  /** Takes the next beginning; gives how long to wait for it. */
  take(now: number): number {
    if (this.#perSecond === undefined) {
      this.#begun = [...this.#recent(now), now];
      return 0;
    }
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + SECOND / this.#perSecond;
    return at - now;
  }

  lower(now: number): void {
    const before = this.#perSecond ?? Math.max(this.options.atFirst, this.#recent(now).length);
    // After an outage in which nothing succeeded, the steps are still those of the rate before it.
    if (this.#hasSucceeded) this.#step = before * STEP;
    this.#hasSucceeded = false;
    this.#perSecond = Math.max(this.options.least, before / 2);
    this.#nextAt = Math.max(this.#nextAt, now + SECOND / this.#perSecond);
    this.#begun = [];
  }

  raise(): void {
    this.#hasSucceeded = true;
    if (this.#perSecond !== undefined) this.#perSecond += this.#step;
  }

  #recent(now: number): number[] {
    return this.#begun.filter((at) => now - at < SECOND);
  }
}
