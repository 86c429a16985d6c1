import type { Failure } from "../observation/service.js";

/** Why nothing further starts once the journal has failed. */
export const unsaved = "the state could not be saved";

const unknownCreatesAllowed = 3;

/** Decides from the outcomes of an apply whether further actions may start. */
export class Brake {
  #unknownCreatesInARow = 0;
  /** How many creates were left when too many had an unknown outcome. */
  #createsLeft: number | undefined;
  /** How many failures in a row had a cause that other actions share, by cause. */
  readonly #common = new Map<string, number>();
  #halted: string | undefined;

  /** The reason why nothing further starts, if there is one. */
  get halted(): string | undefined {
    return this.#halted;
  }

  /** Lets nothing further start. */
  halt(why: string): void {
    this.#halted ??= why;
  }

  /** Notes the outcome of a create. */
  countCreate(isUnknown: boolean): void {
    this.#unknownCreatesInARow = isUnknown ? this.#unknownCreatesInARow + 1 : 0;
    if (this.#unknownCreatesInARow === 0) this.#createsLeft = undefined;
  }

  // A cause that every request meets must not be tried with each of them.
  /** Notes an outcome, with its cause if that is shared by other actions. */
  countCause(common: Failure["common"]): void {
    if (!common) {
      this.#common.clear();
      return;
    }
    const { why, after } = common;
    const count = (this.#common.get(why) ?? 0) + 1;
    this.#common.set(why, count);
    if (count >= after) this.halt(why);
  }

  /** Gives the reason why a create may not start, if too many in a row had an unknown outcome. */
  refuseCreate(countLeft: () => number): string | undefined {
    if (this.#unknownCreatesInARow < unknownCreatesAllowed) return undefined;
    this.#createsLeft ??= countLeft();
    return tooManyUnknown(this.#createsLeft);
  }
}

function tooManyUnknown(left: number): string {
  const waiting = left === 1 ? "the remaining create waits" : `the remaining ${left} creates wait`;
  return `${unknownCreatesAllowed} creates in a row had an unknown outcome; ${waiting} for the next apply`;
}
