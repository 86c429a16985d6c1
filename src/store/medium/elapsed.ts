/** Measures the time since a moment, also while this process was stopped or the machine was asleep. */
export class Elapsed {
  #steady = 0;
  #wall = 0;

  constructor() {
    this.restart();
  }

  restart(): void {
    [this.#steady, this.#wall] = [performance.now(), Date.now()];
  }

  // The steady clock may stand still in sleep, and the other may be set back.
  get milliseconds(): number {
    return Math.max(performance.now() - this.#steady, Date.now() - this.#wall);
  }
}
