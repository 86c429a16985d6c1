import type { Failure } from "../observation/service.js";
import { cause, type Cause } from "../plan/cause.js";

/** Why nothing further starts once the journal has failed. */
export const unsaved = cause("state-unsaved", {});

const unknownCreatesAllowed = 3;

/** Decides from the outcomes of an apply whether further actions may start. */
export class Brake {
  #unknownCreatesInARow = 0;
  /** How many creates were left when too many had an unknown outcome. */
  #createsLeft: number | undefined;
  /** How many failures in a row had a cause that other actions share, by cause. */
  readonly #common = new Map<string, number>();
  #halted: Cause | undefined;

  /** The reason why nothing further starts, if there is one. */
  get halted(): Cause | undefined {
    return this.#halted;
  }

  halt(why: Cause): void {
    this.#halted ??= why;
  }

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
    if (count >= after) this.halt(cause("shared-failure", { reason: why }));
  }

  /** Gives the reason why a create may not start, if too many in a row had an unknown outcome. */
  refuseCreate(countLeft: () => number): Cause | undefined {
    if (this.#unknownCreatesInARow < unknownCreatesAllowed) return undefined;
    this.#createsLeft ??= countLeft();
    return cause("creates-wait", { unknown: unknownCreatesAllowed, left: this.#createsLeft });
  }
}
