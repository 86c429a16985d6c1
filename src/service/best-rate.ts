/** How many answers make a stretch, which takes two seconds at least: a burst says nothing of what comes after it. */
const ANSWERS = 6;
const SHORTEST = 2000;

const STRETCHES = 16;

/** The best rate in a second at which requests succeeded of late, 0 if not known; a service's limit caps it. */
export class BestRate {
  #rates: number[] = [];
  #began: number | undefined;
  #answers = 0;
  #successes = 0;

  get perSecond(): number {
    return Math.max(0, ...this.#rates);
  }

  /** Counts an answer; `now` in milliseconds. */
  add(isSuccess: boolean, now: number): void {
    this.#began ??= now;
    this.#answers++;
    if (isSuccess) this.#successes++;
    const time = now - this.#began;
    if (this.#answers < ANSWERS || time < SHORTEST) return;
    // Where nothing succeeds, something has changed since.
    if (this.#successes === 0) this.#rates = [];
    else this.#rates = [...this.#rates, (this.#successes * 1000) / time].slice(-STRETCHES);
    this.#began = now;
    this.#answers = 0;
    this.#successes = 0;
  }
}
