/** A limit on work, in units of about one character read or written. */
export class Budget {
  #left: number;

  /** What is taken, or that part of it, is also taken from a limit for several. */
  constructor(
    limit: number,
    private readonly all?: Pick<Budget, "spend" | "isSpent">,
    private readonly part = 1,
  ) {
    this.#left = limit;
  }

  /** Takes some of the remaining work; false once more was taken than there was. */
  spend(units: number): boolean {
    this.#left -= units;
    this.all?.spend(units * this.part);
    return !this.isSpent;
  }

  /** Whether more was taken than there was. */
  get isSpent(): boolean {
    return this.#left < 0 || this.all?.isSpent === true;
  }
}
