import { Agent as HttpAgent, type ClientRequest } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Socket } from "node:net";
import { rootCertificates } from "node:tls";

/** For how long a socket may have been idle, in milliseconds, for a create to go out on it. */
const LONGEST_IDLE = 1000;

/** Kept-alive connections of one run, and what is known of each. */
export interface Connections {
  readonly agents: { readonly http: HttpAgent; readonly https: HttpsAgent };
  /** Closes the connections that have been idle for more than a second. */
  dropIdle(): void;
  /** Watches what becomes of a request on its connection. */
  watch(request: ClientRequest): Line;
  close(): void;
}

/** One request's use of a connection. */
export interface Line {
  /** Whether a byte of the request may have left: true when in doubt. */
  mayHaveArrived(): boolean;
  /** The answer was read whole, so the connection is idle from now. */
  finished(): void;
}

/** Makes connections, at most `concurrency` to one origin; certificates are always checked, `ca` (PEM) adds to the roots. */
export function createConnections(concurrency: number, ca?: string): Connections {
  const pool = { keepAlive: true, maxSockets: Math.max(1, concurrency) };
  const trust = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  const http = new HttpAgent(pool);
  const https = new HttpsAgent({ ...pool, ...trust, rejectUnauthorized: true });
  // A socket is here from the moment that it can carry a request; the value is when it was last in use.
  const lastUse = new WeakMap<Socket, number>();

  const dropIdle = (): void => {
    const oldest = performance.now() - LONGEST_IDLE;
    const idle = [http, https].flatMap((agent) => Object.values(agent.freeSockets).flat());
    for (const socket of idle) {
      if (socket && (lastUse.get(socket) ?? 0) < oldest) socket.destroy();
    }
  };
  const close = (): void => {
    http.destroy();
    https.destroy();
  };
  return { agents: { http, https }, dropIdle, watch: (request) => watch(request, lastUse), close };
}

function watch(request: ClientRequest, lastUse: WeakMap<Socket, number>): Line {
  let line: Socket | undefined;
  let mayHaveArrived = (): boolean => false;
  // The event comes before the request is written to the socket.
  request.once("socket", (socket) => {
    line = socket;
    if (lastUse.has(socket)) {
      const before = socket.bytesWritten;
      mayHaveArrived = () => socket.bytesWritten !== before;
      return;
    }
    // Until then a socket's own count includes what waits for the connection or the handshake.
    let open = !socket.connecting;
    socket.once(request.protocol === "https:" ? "secureConnect" : "connect", () => {
      open = true;
      lastUse.set(socket, performance.now());
    });
    mayHaveArrived = () => open;
  });
  return {
    mayHaveArrived: () => mayHaveArrived(),
    finished: () => {
      if (line) lastUse.set(line, performance.now());
    },
  };
}
