// A write wakes its reader, which costs more than what is written, and a fast apply ends a thousand actions in a second.
const writeTime = 100;

/** Lines that are gathered into few writes. */
export class GatheredLines {
  #waiting = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly write: (lines: string) => void) {
    // The second signal ends the process at once.
    process.once("exit", this.#flush);
  }

  /** Adds whole lines, which are written a tenth of a second later at the latest. */
  add(lines: string): void {
    this.#timer ??= setTimeout(this.#flush, writeTime);
    this.#waiting += lines;
  }

  /** Writes what is waiting. */
  end(): void {
    process.off("exit", this.#flush);
    clearTimeout(this.#timer);
    this.#flush();
  }

  readonly #flush = () => {
    const lines = this.#waiting;
    this.#waiting = "";
    this.#timer = undefined;
    if (lines !== "") this.write(lines);
  };
}
