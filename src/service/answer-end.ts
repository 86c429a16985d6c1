import type { IncomingMessage } from "node:http";

/** Counts the bytes of one answer as they arrive, to find bytes after its end. */
export class AnswerEnd {
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
