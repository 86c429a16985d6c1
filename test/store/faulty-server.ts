import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";

/** One request as it arrived. */
export interface Received {
  /** Counted from 1. */
  readonly number: number;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** What a server answers. */
export interface ServerAnswer {
  readonly status: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What happens to a request instead of its answer. */
export type StateFault =
  /** The connection ends: before the server has done anything, in the middle of its answer, or before its answer. */
  | { readonly cut: "before" | "in" | "after" }
  /** The server answers this, and does nothing. */
  | {
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection ends, and the server does it only after this. */
  | { readonly late: Promise<unknown> }
  /** The answer comes late. */
  | { readonly wait: Promise<unknown> };

/** A server that does what its kind says, on a network that can be cut. */
export abstract class FaultyServer {
  readonly received: Received[] = [];
  /** Decides for each request whether something happens to it. */
  fault: (request: Received) => StateFault | undefined = () => undefined;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #scheme: string;

  protected constructor(tls: ServerOptions | undefined) {
    const listener = (request: IncomingMessage, response: ServerResponse) =>
      void this.#serve(request, response);
    this.#scheme = tls ? "https" : "http";
    this.#server = tls ? createTlsServer(tls, listener) : createServer(listener);
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  /** Does what a request asks for. */
  protected abstract act(request: Received): ServerAnswer | Promise<ServerAnswer>;

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.#scheme}://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request);
    if (body === undefined) return;
    const { method = "", url = "", headers } = request;
    const received = { number: this.received.length + 1, method, url, headers, body };
    this.received.push(received);
    const fault = this.fault(received);
    if (fault && "cut" in fault && fault.cut === "before") return void request.socket.destroy();
    if (fault && "late" in fault) {
      request.socket.destroy();
      await fault.late;
      return void (await this.act(received));
    }
    if (fault && "status" in fault) return answer(response, fault.status, fault.body ?? "", fault.headers);
    const { status, text = "", headers: given } = await this.act(received);
    if (fault && "wait" in fault) await fault.wait;
    if (fault && "cut" in fault) {
      if (fault.cut === "after") return void request.socket.destroy();
      response.writeHead(status, { ...given, "content-length": String(Buffer.byteLength(text) + 10) });
      response.write(text.slice(0, text.length / 2));
      return void setTimeout(() => request.socket.destroy(), 5);
    }
    answer(response, status, text, given);
  }
}

async function readAll(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString();
}

function answer(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(text);
}
