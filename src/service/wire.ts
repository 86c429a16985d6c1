import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { AnswerEnd } from "./answer-end.js";
import type { KeepAlive } from "./keep-alive.js";

// Made in `carry`, it would keep the last request of each connection in memory: 70 MB in an apply of 10,000 creates.
const always = (): boolean => true;

/** A connection to the service, watched for bytes beyond the one answer that is due. */
export class Wire {
  /** When it was last in use, on the clock of `performance`; undefined until it can carry a request. */
  lastUse: number | undefined;
  /** Whether it has carried a request. */
  isUsed = false;
  #isOutOfStep = false;
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

  /** Whether bytes came that belong to no request on it, so that an answer may belong to a different request. */
  get isOutOfStep(): boolean {
    return this.#isOutOfStep;
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
    this.#isOutOfStep = true;
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

async function nextImmediate(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}
