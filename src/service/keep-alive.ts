/** The longest idle time, in milliseconds, of a connection that may carry a create. */
const LONGEST_IDLE = 1000;

/** The part of a server's keep-alive time that is safe: the two sides start counting at different moments. */
const SAFE = 1 / 4;

/** How long the server keeps idle connections, as it has announced or as was seen. */
export class KeepAlive {
  #longestIdle = LONGEST_IDLE;

  /** The longest idle time, in milliseconds, of a connection that may carry a create. */
  get longestIdle(): number {
    return this.#longestIdle;
  }

  /** Takes note of an answer's keep-alive header; empty if it has none. */
  announced(header: string): void {
    const [, seconds] = /(?:^|[,;\s])timeout=(\d{1,9})(?!\d)/i.exec(header) ?? [];
    if (seconds !== undefined) this.closedAfter(Number(seconds) * 1000);
  }

  /** Takes note that the server closed, or will close, a connection after this idle time. */
  closedAfter(idle: number): void {
    this.#longestIdle = Math.min(this.#longestIdle, idle * SAFE);
  }
}
