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

/** The time that one try has: a limit for each of its parts and one for the whole, with a single timer. */
export class Deadline {
  readonly #timeouts: Timeouts;
  readonly #expire: (waited: number) => void;
  readonly #end: number;
  #limit: number;
  #partEnd: number;
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
    this.#timer = setTimeout(() => void this.#check(), Math.min(left, connect, send, response));
  }

  async #check(): Promise<void> {
    // What came while the process was stopped is still to be read.
    await readArrived();
    if (this.#timer === undefined) return;
    const now = performance.now();
    const left = Math.min(this.#partEnd, this.#end) - now;
    if (left > 0) return this.#wait(left);
    this.#expire(this.#partEnd <= this.#end ? this.#limit : this.#timeouts.total);
  }
}
