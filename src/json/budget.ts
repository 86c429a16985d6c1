/** How much work is left, in units of about one character read or written. */
export class Budget {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  /** Takes some of what is left; false once more was asked for than there was. */
  spend(units: number): boolean {
    this.#left -= units;
    return this.#left >= 0;
  }

  /** Whether more was asked for than there was. */
  get isSpent(): boolean {
    return this.#left < 0;
  }
}
