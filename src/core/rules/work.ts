import { Budget } from "../../json/budget.js";

/** Thrown when rules have done all the work that they may. */
export class WorkSpent extends Error {}

// About a tenth of a microsecond each.
const ofRule = { once: 1_000_000, perValue: 2000 };
const ofAll = { once: 50_000_000, perValue: 40_000 };

/** Gives what all rules of a workspace may do, for as many values as are judged. */
export function workOfAll(values: number): Budget {
  return new Budget(ofAll.once + values * ofAll.perValue);
}

/** What a rule may still do, in looks at a value; the same on every machine, as no clock is asked. */
export class Work {
  #left = new Budget(0);

  /** Begins anew, for as many values as are judged; it is also taken from that of all. */
  begin(values: number, all: Budget): void {
    this.#left = new Budget(ofRule.once + values * ofRule.perValue, all);
  }

  get isSpent(): boolean {
    return this.#left.isSpent;
  }

  spend(units: number): true {
    if (!this.#left.spend(units)) throw new WorkSpent();
    return true;
  }
}
