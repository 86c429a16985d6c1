/** Thrown when rules have done all the work that they may. */
export class WorkSpent extends Error {}

// About a tenth of a microsecond each.
const ofRule = { once: 1_000_000, perValue: 2000 };
const ofAll = { once: 50_000_000, perValue: 40_000 };

/** Gives what all rules of a workspace may do, for as many values as are judged. */
export function workOfAll(values: number): Work {
  return new Work(ofAll.once + values * ofAll.perValue);
}

/** What may still be done, in looks at a value; the same on every machine, as no clock is asked. */
export class Work {
  #left: number;
  #all: Work | undefined;

  constructor(units = 0) {
    this.#left = units;
  }

  /** Begins anew as the work of one rule, for as many values as are judged; it is also taken from that of all. */
  begin(values: number, all: Work): void {
    this.#left = ofRule.once + values * ofRule.perValue;
    this.#all = all;
  }

  get isSpent(): boolean {
    return this.#left < 0 || this.#all?.isSpent === true;
  }

  /** Takes some of the work. */
  spend(units: number): true {
    this.#left -= units;
    this.#all?.spend(units);
    if (this.#left < 0) throw new WorkSpent();
    return true;
  }
}
