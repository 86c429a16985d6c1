import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { onTestFinished } from "vitest";
import { certificate, certificateKey } from "./certificate.js";

/** A proxy that knows CONNECT, and writes down all that it sees. */
export interface ConnectProxy {
  /** As an environment variable names it. */
  readonly url: string;
  /** The heads of the requests for tunnels. */
  readonly asked: string[];
  /** Every byte that came from its clients, those in tunnels too. */
  seen(): string;
}

/** What a proxy does with a request for a tunnel: opens it, answers a text, or does nothing. */
export type Manner = "open" | "hang" | "close" | { readonly answer: string };

interface ProxyOptions {
  /** The manner for each tunnel, one after the other; the last is repeated. */
  readonly manners?: readonly Manner[];
  readonly tls?: boolean;
}

/** Starts a proxy on loopback; every tunnel leads to this machine, at the port that was asked for. */
export async function connectProxy({
  manners = ["open"],
  tls = false,
}: ProxyOptions = {}): Promise<ConnectProxy> {
  const asked: string[] = [];
  const seen: Buffer[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("error", () => {});
  };
  const serve = (client: Socket): void => {
    keep(client).on("data", (chunk) => seen.push(chunk));
    let head = "";
    const listen = (chunk: Buffer): void => {
      head += chunk.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      client.off("data", listen);
      const manner = manners[Math.min(asked.length, manners.length - 1)] ?? "open";
      asked.push(head);
      if (manner === "close") client.destroy();
      else if (manner === "open") open(client, head, keep);
      else if (manner !== "hang") client.end(manner.answer);
    };
    client.on("data", listen);
  };
  const server = tls
    ? createTlsServer({ cert: certificate, key: certificateKey }, serve)
    : createServer(serve);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    asked,
    seen: () => Buffer.concat(seen).toString("latin1"),
  };
}

function open(client: Socket, head: string, keep: (socket: Socket) => Socket): void {
  const port = Number(/^CONNECT \S+:(\d+) /.exec(head)?.[1] ?? 0);
  const upstream = keep(connect(port, "127.0.0.1"));
  upstream.once("connect", () => {
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    client.pipe(upstream).pipe(client);
  });
  client.once("close", () => upstream.destroy());
  upstream.once("close", () => client.destroy());
}
