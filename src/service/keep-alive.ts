/** For how long a connection may have been idle, in milliseconds, for a create to go out on it. */
const LONGEST_IDLE = 1000;

/** What part of the time that a server keeps idle connections is safe, for both sides count it from another moment. */
const SAFE = 1 / 4;

/** For how long the server keeps connections that are idle, as far as it said so or was seen to close them. */
export class KeepAlive {
  #longestIdle = LONGEST_IDLE;

  /** How long a connection may have been idle, in milliseconds, for a create to go out on it. */
  get longestIdle(): number {
    return this.#longestIdle;
  }

  /** Hears the keep-alive header of an answer, empty if it has none. */
  announced(header: string): void {
    const [, seconds] = /(?:^|[,;\s])timeout=(\d{1,9})(?!\d)/i.exec(header) ?? [];
    if (seconds !== undefined) this.closedAfter(Number(seconds) * 1000);
  }

  /** Hears that the server closed a connection that was idle for so long, or says that it will. */
  closedAfter(idle: number): void {
    this.#longestIdle = Math.min(this.#longestIdle, idle * SAFE);
  }
}
