import type { Budget } from "../../json/budget.js";
import type { Place } from "../finding/diagnostic.js";

const shownPlaces = 8;

/** What the substitutions in one file used, and what they lacked. */
export class SubstitutionTotals {
  readonly usedVariables = new Set<string>();
  /** Variables without a value, with the places that need one. */
  readonly missing = new Map<string, Place[]>();
  /** The included files, whether or not they could be read. */
  readonly files = new Set<string>();
  /** Whether every included file could be read. */
  isAllRead = true;
  /** How much of the workspace's limit was used. */
  expanded = 0;

  constructor(private readonly workspaceBudget: Budget) {}

  /** Takes something from the workspace's limit; false if there is too little left. */
  spend(units: number): boolean {
    this.expanded += units;
    const isAfforded = this.workspaceBudget.spend(units);
    if (!isAfforded) this.isAllRead = false;
    return isAfforded;
  }

  /** Notes a place that needs the value of a variable; the keys of a `for_each` share one. */
  addMissing(name: string, { each, ...place }: Place): void {
    const places = this.missing.get(name);
    if (!places) this.missing.set(name, [place]);
    else if (!each || (places.length < shownPlaces && !places.some((known) => isSame(known, place)))) {
      places.push(place);
    }
  }
}

function isSame(one: Place, other: Place): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
