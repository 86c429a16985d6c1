import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import { readArrived } from "./wire.js";

/** The longest times of one try, in milliseconds. */
export interface Timeouts {
  /** For each of name look-up, connection and TLS handshake. */
  readonly connect: number;
  readonly send: number;
  /** From the last sent byte to the head of the answer. */
  readonly response: number;
  /** The whole try. */
  readonly total: number;
}

// How late a timer may be, in milliseconds, before the process must have been stopped, and how long it then has at
// least. A machine that stops it again and again must not put off the end forever.
const LATE = 100;
const GRACE = 2000;
const GRACES = 3;

/** The time for one try, a limit for each part and the whole; time in which the process was stopped does not count. */
export class Deadline {
  readonly #timeouts: Timeouts;
  readonly #expire: (waited: number) => void;
  #end: number;
  #limit: number;
  #partEnd: number;
  /** When the timer was to run. */
  #due = 0;
  #graces = GRACES;
  #timer: NodeJS.Timeout | undefined;

  /** Begins the try; `expire` is called once if it lasts too long, with the limit that was passed. */
  constructor(timeouts: Timeouts, expire: (waited: number) => void) {
    this.#timeouts = timeouts;
    this.#expire = expire;
    this.#limit = timeouts.total;
    this.#end = this.#partEnd = performance.now() + timeouts.total;
    this.#wait(timeouts.total);
  }

  /** Follows a request from part to part. */
  follow(request: ClientRequest): void {
    const { connect, send, response } = this.#timeouts;
    request.once("socket", (socket: Socket) => {
      this.#enter(socket.connecting ? connect : send);
      if (!socket.connecting) return;
      const isSecure = request.protocol === "https:";
      socket.once("lookup", () => this.#enter(connect));
      socket.once("connect", () => this.#enter(isSecure ? connect : send));
      if (isSecure) socket.once("secureConnect", () => this.#enter(send));
    });
    request.once("finish", () => this.#enter(response));
  }

  /** The head of the answer is there; only the whole try has a limit now. */
  answered(): void {
    this.#enter(this.#timeouts.total);
  }

  /** The try is over. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #enter(limit: number): void {
    this.#limit = limit;
    this.#partEnd = performance.now() + limit;
  }

  // A part may be shorter than the one before it, so the timer never waits for longer than the shortest.
  #wait(left: number): void {
    const { connect, send, response } = this.#timeouts;
    const wait = Math.min(left, connect, send, response);
    this.#due = performance.now() + wait;
    this.#timer = setTimeout(() => void this.#check(), wait);
  }

  async #check(): Promise<void> {
    const late = performance.now() - this.#due;
    if (late > LATE) this.#putOff(late);
    // What has arrived is read before the time is up.
    await readArrived();
    if (this.#timer === undefined) return;
    const left = this.#left;
    if (left > 0) return this.#wait(left);
    this.#expire(this.#partEnd <= this.#end ? this.#limit : this.#timeouts.total);
  }

  get #left(): number {
    return Math.min(this.#partEnd, this.#end) - performance.now();
  }

  #putOff(late: number): void {
    const missing = GRACE - (this.#left + late);
    const hasGrace = missing > 0 && this.#graces > 0;
    if (hasGrace) this.#graces--;
    const more = hasGrace ? late + missing : late;
    this.#end += more;
    this.#partEnd += more;
  }
}
