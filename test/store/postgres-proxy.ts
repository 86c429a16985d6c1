import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { CutStage, Network } from "./conformance-medium.js";

/** A proxy on the way to a PostgreSQL server, which counts requests and cuts them. */
export interface PostgresProxy {
  readonly port: number;
  readonly network: Network;
  /** Called with the number of each request before it is passed on; true drops the connection. */
  onRequest: (request: number, when: "before" | "after") => boolean;
  close(): Promise<void>;
}

/** Starts a proxy; a request is what the client sends until it waits for an answer. */
export async function startProxy(target: () => number): Promise<PostgresProxy> {
  const sockets = new Set<Socket>();
  let [requests, from] = [0, 0];
  let cutAt: (request: number) => CutStage | undefined = () => undefined;
  const server = createServer((client) => {
    const upstream = connect(target(), "127.0.0.1");
    const drop = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on("error", drop)
        .on("close", drop)
        .on("close", () => sockets.delete(socket));
    }
    let [current, stage]: [number, CutStage | undefined] = [0, undefined];
    const frontend = new Frontend();
    client.on("data", (bytes) => {
      if (frontend.asks(bytes)) {
        current = ++requests;
        stage = cutAt(current - from);
        if (stage === "before" || proxy.onRequest(current, "before")) return drop();
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (stage === "in") client.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), drop);
      else if (stage === "after" || proxy.onRequest(current, "after")) drop();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: PostgresProxy = {
    port: (server.address() as AddressInfo).port,
    onRequest: () => false,
    network: {
      get requests() {
        return requests - from;
      },
      cut: (request, at, isLasting) => {
        cutAt = (number) => (number === request || (isLasting && number > request) ? at : undefined);
      },
      mend: () => {
        cutAt = () => undefined;
        from = requests;
      },
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

/** Reads what a client sends, message by message, without keeping it. */
class Frontend {
  #head: number[] = [];
  #isStarted = false;
  /** How many bytes of the message under way are still to come. */
  #rest = 0;

  /** Whether these bytes end something that the server answers. */
  asks(bytes: Buffer): boolean {
    let isAsked = false;
    for (let at = 0; at < bytes.length;) {
      const size = this.#isStarted ? 5 : 4;
      if (this.#head.length < size) {
        this.#head.push(bytes[at++] ?? 0);
        if (this.#head.length === size) this.#rest = Buffer.from(this.#head).readUInt32BE(size - 4) - 4;
      } else {
        const skipped = Math.min(this.#rest, bytes.length - at);
        this.#rest -= skipped;
        at += skipped;
      }
      if (this.#head.length < size || this.#rest > 0) continue;
      // A password, a statement, and the end of several messages.
      isAsked ||= !this.#isStarted || "pQS".includes(String.fromCharCode(this.#head[0] ?? 0));
      this.#isStarted = true;
      this.#head = [];
    }
    return isAsked;
  }
}
