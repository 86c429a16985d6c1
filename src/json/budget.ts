/** A limit on work, in units of about one character read or written. */
export class Budget {
  #left: number;

  /** What is taken is also taken from a limit for several. */
  constructor(
    limit: number,
    private readonly all?: Budget,
  ) {
    this.#left = limit;
  }

  /** Takes some of the remaining work; false once more was taken than there was. */
  spend(units: number): boolean {
    this.#left -= units;
    this.all?.spend(units);
    return !this.isSpent;
  }

  /** Whether more was taken than there was. */
  get isSpent(): boolean {
    return this.#left < 0 || this.all?.isSpent === true;
  }
}
