import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextImmediate } from "node:timers/promises";

// Made in `carry`, it would keep the last request of each connection in memory: 70 MB in an apply of 10,000 creates.
const always = (): boolean => true;

/** A connection to the service, watched for bytes beyond the one answer that is due. */
export class Wire {
  /** When it was last in use, on the clock of `performance`; undefined until it can carry a request. */
  lastUse: number | undefined;
  /** Whether it has carried a request. */
  isUsed = false;
  /** Whether bytes came that belong to no request on it, so that an answer may belong to a different request. */
  isOutOfStep = false;
  #isLast = false;
  #isAnswered = always;

  /** Whether the server keeps it open after the last answer, according to its headers. */
  #isKept = false;

  constructor(
    private readonly socket: Socket,
    private readonly keepAlive: KeepAlive,
  ) {
    socket.once("end", () => {
      if (this.#isKept && this.#isAnswered()) keepAlive.closedAfter(this.#idle ?? 0);
    });
    // Runs before the parser of the request that has the connection by now.
    socket.prependListener("data", () => {
      if (this.#isAnswered()) this.#spoil();
    });
    // Between two requests there is no other listener, and an error without a listener would end the process.
    socket.on("error", () => undefined);
  }

  get #idle(): number | undefined {
    return this.lastUse === undefined ? undefined : performance.now() - this.lastUse;
  }

  /** Attaches a request, whose bytes are written after this. */
  carry(request: ClientRequest): void {
    this.isUsed = true;
    let answer: IncomingMessage | undefined;
    const isAnswered = (): boolean => answer?.complete === true;
    const idle = this.#idle;
    this.#isAnswered = isAnswered;
    request.prependOnceListener("response", (message: IncomingMessage) => {
      answer = message;
      this.#isKept = !/close/i.test(message.headers.connection ?? "");
      this.keepAlive.announced(String(message.headers["keep-alive"] ?? ""));
    });
    const end = new AnswerEnd();
    // The parser destroys a connection at once if more data follows the answer in the same bytes.
    const look = (bytes: Buffer): void => {
      end.take(bytes);
      if (answer?.complete !== true) return;
      if (this.socket.destroyed || end.isPassed(answer)) this.#spoil();
    };
    this.socket.on("data", look);
    request.once("close", () => {
      this.socket.off("data", look);
      // It may have been closed before the request came.
      if (!answer && idle !== undefined) this.keepAlive.closedAfter(idle);
      if (this.#isAnswered !== isAnswered) return;
      this.#isAnswered = always;
      // Before it is free for another request.
      if (this.#isLast) this.socket.destroy();
    });
  }

  /** Accepts no request after the current one. */
  retire(): void {
    this.#isLast = true;
    if (this.#isAnswered()) this.socket.destroy();
  }

  destroy(): void {
    this.socket.destroy();
  }

  #spoil(): void {
    this.isOutOfStep = true;
    this.socket.destroy();
  }
}

let nextPoll: Promise<void> | undefined;

/** Lets data that has arrived on any connection be read, such as the end of an idle one. */
export async function readArrived(): Promise<void> {
  // All that ask before a poll for arrived bytes begins wait for the same one.
  await (nextPoll ??= pollOnce());
}

async function pollOnce(): Promise<void> {
  // The first callback runs before the next poll, the second after it.
  await nextImmediate();
  nextPoll = undefined;
  await nextImmediate();
}

/** Counts the bytes of one answer as they arrive, to find bytes after its end. */
class AnswerEnd {
  #head: Buffer | undefined = Buffer.alloc(0);
  #afterHead = 0;
  #last: Buffer = Buffer.alloc(0);

  /** Adds bytes, in the order of their arrival. */
  take(bytes: Buffer): void {
    this.#last = bytes.length < 4 ? Buffer.concat([this.#last, bytes]).subarray(-4) : bytes;
    if (this.#head === undefined) {
      this.#afterHead += bytes.length;
      return;
    }
    this.#head = Buffer.concat([this.#head, bytes]);
    for (let end = endOfHead(this.#head); end > 0; end = endOfHead(this.#head)) {
      const isInterim = /^HTTP\/1\.\d 1\d\d/.test(this.#head.toString("latin1", 0, 12));
      const rest: Buffer = this.#head.subarray(end);
      if (!isInterim) {
        this.#head = undefined;
        this.#afterHead = rest.length;
        return;
      }
      this.#head = rest;
    }
  }

  /** Whether bytes follow the end of the complete answer; line ends do not count (RFC 9112, 2.2). */
  isPassed({ headers }: IncomingMessage): boolean {
    if (headers["transfer-encoding"] !== undefined) return !/\n\r?\n$/.test(this.#last.toString("latin1"));
    const excess = this.#afterHead - Number(headers["content-length"] ?? 0);
    return excess > 0 && /[^\r\n]/.test(this.#last.subarray(-excess).toString("latin1"));
  }
}

function endOfHead(bytes: Buffer): number {
  const match = /\r?\n\r?\n/.exec(bytes.toString("latin1"));
  return match ? match.index + match[0].length : 0;
}

/** All open connections, whether or not they are in an agent. */
export class Wires {
  readonly keepAlive = new KeepAlive();
  readonly #bySocket = new Map<Socket, Wire>();

  /** Gives the wire of a socket, which is watched from now on. */
  of(socket: Socket): Wire {
    const known = this.#bySocket.get(socket);
    if (known) return known;
    const wire = new Wire(socket, this.keepAlive);
    if (socket.destroyed) return wire;
    this.#bySocket.set(socket, wire);
    socket.once("close", () => this.#bySocket.delete(socket));
    return wire;
  }

  /** Accepts no further request on any of them. */
  retire(): void {
    for (const wire of this.#bySocket.values()) wire.retire();
  }

  destroy(): void {
    for (const wire of this.#bySocket.values()) wire.destroy();
  }
}

/** The longest idle time, in milliseconds, of a connection that may carry a create. */
const LONGEST_IDLE = 1000;

/** The part of a server's keep-alive time that is safe: the two sides start counting at different moments. */
const SAFE = 1 / 4;

/** How long the server keeps idle connections, as it has announced or as was seen. */
class KeepAlive {
  /** The longest idle time, in milliseconds, of a connection that may carry a create. */
  longestIdle = LONGEST_IDLE;

  /** Takes note of an answer's keep-alive header; empty if it has none. */
  announced(header: string): void {
    const [, seconds] = /(?:^|[,;\s])timeout=(\d{1,9})(?!\d)/i.exec(header) ?? [];
    if (seconds !== undefined) this.closedAfter(Number(seconds) * 1000);
  }

  /** Takes note that the server closed, or will close, a connection after this idle time. */
  closedAfter(idle: number): void {
    this.longestIdle = Math.min(this.longestIdle, idle * SAFE);
  }
}
