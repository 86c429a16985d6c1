/** Thrown when a rule has done all the work that it may. */
export class WorkSpent extends Error {}

// About a tenth of a microsecond each.
const unitsOnce = 1_000_000;
const unitsPerValue = 2000;

/** What a rule may still do; the same on every machine, as no clock is asked. */
export class Work {
  #left = unitsOnce;

  /** Begins anew, for as many values as are judged. */
  begin(values: number): void {
    this.#left = unitsOnce + values * unitsPerValue;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }

  /** Takes some of the work, in looks at a value. */
  spend(units: number): true {
    this.#left -= units;
    if (this.#left < 0) throw new WorkSpent();
    return true;
  }
}
