/** How much one success raises a lowered rate, as a part of the rate that was refused. */
const STEP = 1 / 16;

const SECOND = 1000;

/**
 * Limits how many requests start in a second: no limit until the service refuses one, then halved by refusals and
 * raised in equal steps by successes. Times in milliseconds of one clock.
 */
export class Rate {
  /** The limit, if there is one. */
  perSecond: number | undefined;
  #step = 0;
  #nextAt = 0;
  #hasSucceeded = true;
  /** The starts within the last second, while there is no limit. */
  #begun: number[] = [];

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
    this.perSecond = Math.max(this.options.least, before / 2);
    this.#nextAt = Math.max(this.#nextAt, now + SECOND / this.perSecond);
    this.#begun = [];
  }

  raise(): void {
    this.#hasSucceeded = true;
    if (this.perSecond !== undefined) this.perSecond += this.#step;
  }

  #forget(now: number): void {
    while (now - (this.#begun[0] ?? now) >= SECOND) this.#begun.shift();
  }
}
