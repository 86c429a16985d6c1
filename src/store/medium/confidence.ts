import { Elapsed } from "./elapsed.js";

/** How often this process looks whether it stood still, and from when it did, in milliseconds. */
const [step, still] = [250, 1000];

/** When a process last asked or wrote what a medium answers only to its holder: the question's moment counts. */
export class Confidence {
  #asking: Promise<void> | undefined;
  readonly #ran = new Elapsed();
  readonly #tick = new Elapsed();
  readonly #timer = setInterval(() => this.#look(), step).unref();

  /** A medium is known for so many milliseconds at most; it was last asked at a moment. */
  constructor(
    private readonly longest: number,
    private known: Elapsed,
  ) {}

  /** Takes note of what was asked at a moment and answered since. */
  note(asked: Elapsed): void {
    if (asked.milliseconds < this.known.milliseconds) this.known = asked;
  }

  /** Resolves once the medium is known well enough; those who ask together share a question. */
  async ensure(hasWaited: boolean, ask: () => Promise<void>): Promise<void> {
    const called = new Elapsed();
    const isKnown = (): boolean => {
      this.#look();
      const age = this.known.milliseconds;
      const oldest = hasWaited ? called.milliseconds : Math.max(this.longest, called.milliseconds);
      return age <= oldest && age <= this.#ran.milliseconds;
    };
    while (!isKnown()) await (this.#asking ??= this.#askOnce(ask));
  }

  end(): void {
    clearInterval(this.#timer);
  }

  async #askOnce(ask: () => Promise<void>): Promise<void> {
    const asked = new Elapsed();
    try {
      await ask();
      this.note(asked);
    } finally {
      this.#asking = undefined;
    }
  }

  /** Notices that this process was stopped, that its machine was asleep, or that it was too busy to look. */
  #look(): void {
    if (this.#tick.milliseconds > still) this.#ran.restart();
    this.#tick.restart();
  }
}
