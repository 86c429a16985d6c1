import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { onTestFinished } from "vitest";
import { certificate, certificateKey } from "./certificate.js";

/** A request as it came over the wire. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Which connection it came on, counted from 0. */
  readonly connection: number;
}

/** What a server does with a request: writes a text, or anything else. */
export type Reaction = string | ((socket: Socket) => void);

export interface RawServer {
  readonly port: number;
  readonly url: string;
  readonly received: Received[];
  /** How many connections were opened. */
  connections(): number;
}

interface RawOptions {
  readonly tls?: boolean;
  readonly onConnection?: (socket: Socket) => void;
}

/** Starts a server that reacts to its requests one after the other; the last reaction is repeated. */
export async function rawServer(
  reactions: readonly Reaction[],
  options: RawOptions = {},
): Promise<RawServer> {
  const received: Received[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  const listener = (socket: Socket): void => {
    const connection = connections++;
    open.add(socket);
    socket.on("error", () => {});
    options.onConnection?.(socket);
    readRequests(socket, connection, (request) => {
      const reaction = reactions[Math.min(received.length, reactions.length - 1)];
      received.push(request);
      if (typeof reaction === "string") socket.write(reaction);
      else reaction?.(socket);
    });
  };
  const server: Server = options.tls
    ? createTlsServer({ cert: certificate, key: certificateKey }, listener)
    : createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `${options.tls ? "https" : "http"}://127.0.0.1:${port}`;
  return { port, url, received, connections: () => connections };
}

/** Renders an answer with its length. */
export function answer(status: number, body = "", headers: Readonly<Record<string, string>> = {}): string {
  const fields = {
    "content-type": "application/json",
    ...headers,
    "content-length": Buffer.byteLength(body),
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} Status`, ...head, "", body].join("\r\n");
}

/** A port of this machine at which nothing listens; one that was just closed may be another process's by then. */
export const closedPort = 1;

function readRequests(socket: Socket, connection: number, each: (request: Received) => void): void {
  let buffer = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    const end = buffer.indexOf("\r\n\r\n");
    if (end === -1) return;
    const [start = "", ...lines] = buffer.subarray(0, end).toString("latin1").split("\r\n");
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const bodyEnd = end + 4 + Number(headers.get("content-length") ?? 0);
    if (buffer.length < bodyEnd) return;
    const body = buffer.subarray(end + 4, bodyEnd).toString();
    buffer = buffer.subarray(bodyEnd);
    const [method = "", path = ""] = start.split(" ");
    each({ method, path, headers, body, connection });
  });
}
