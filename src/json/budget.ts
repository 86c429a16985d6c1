/** A limit on work, in units of about one character read or written. */
export class Budget {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  /** Takes some of the remaining work; false once more was taken than there was. */
  spend(units: number): boolean {
    this.#left -= units;
    return this.#left >= 0;
  }

  /** Whether more was taken than there was. */
  get isSpent(): boolean {
    return this.#left < 0;
  }
}
