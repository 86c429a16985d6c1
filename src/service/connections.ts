import { Agent as HttpAgent, type ClientRequest } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP, type Socket } from "node:net";
import type { Proxy } from "./proxy.js";
import { openTunnel, type TunnelTarget } from "./tunnel.js";

/** For how long a socket may have been idle, in milliseconds, for a create to go out on it. */
const LONGEST_IDLE = 1000;

/** How connections are made. */
export interface ConnectionOptions {
  /** At most so many to one origin. */
  readonly concurrency: number;
  /** How long a connection through a proxy may take to be made, in milliseconds. */
  readonly timeout: number;
  /** Certificates to trust, as PEM texts, in the place of Node's own. */
  readonly ca?: string[] | undefined;
  /** Which proxy leads to a target, if not the direct way. */
  readonly proxyOf: (target: URL) => Proxy | undefined;
}

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** Kept-alive connections of one run, and what is known of each. */
export interface Connections {
  /** The agents that lead to a target. */
  agents(target: URL): Agents;
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

/** Makes connections, direct or through proxies; certificates are always checked. */
export function createConnections(options: ConnectionOptions): Connections {
  // A socket is here from the moment that it can carry a request; the value is when it was last in use.
  const lastUse = new WeakMap<Socket, number>();
  const closing = new AbortController();
  const byOrigin = new Map<string, Agents>();
  const direct = createAgents(options);

  const agents = (target: URL): Agents => {
    const known = byOrigin.get(target.origin);
    if (known) return known;
    const proxy = options.proxyOf(target);
    const made = proxy ? createAgents(options) : direct;
    if (proxy) lead(made, proxy, target, { ...options, signal: closing.signal }, lastUse);
    byOrigin.set(target.origin, made);
    return made;
  };
  const all = (): HttpAgent[] =>
    [...new Set([direct, ...byOrigin.values()])].flatMap(({ http, https }) => [http, https]);
  const dropIdle = (): void => {
    const oldest = performance.now() - LONGEST_IDLE;
    const idle = all().flatMap((agent) => Object.values(agent.freeSockets).flat());
    for (const socket of idle) {
      if (socket && (lastUse.get(socket) ?? 0) < oldest) socket.destroy();
    }
  };
  const close = (): void => {
    closing.abort();
    for (const agent of all()) agent.destroy();
  };
  return { agents, dropIdle, watch: (request) => watch(request, lastUse), close };
}

function createAgents({ concurrency, ca }: ConnectionOptions): Agents {
  const pool = { keepAlive: true, maxSockets: Math.max(1, concurrency) };
  return {
    http: new HttpAgent(pool),
    https: new HttpsAgent({ ...pool, ...(ca && { ca }), rejectUnauthorized: true }),
  };
}

// The agents keep their connections as ever, and make them through the proxy.
function lead(
  { http, https }: Agents,
  proxy: Proxy,
  target: URL,
  options: ConnectionOptions & { readonly signal: AbortSignal },
  lastUse: WeakMap<Socket, number>,
): void {
  const secure = target.protocol === "https:";
  const host = target.hostname.replaceAll(/^\[|\]$/g, "");
  const port = Number(target.port) || (secure ? 443 : 80);
  // An address has no name to ask for.
  const servername = isIP(host) === 0 ? host : "";
  const end: TunnelTarget = { host, port, servername: secure ? servername : undefined };
  const make: HttpAgent["createConnection"] = (_asked, callback) => {
    void hand(openTunnel(proxy, end, options), lastUse, callback);
    return undefined;
  };
  http.createConnection = make;
  https.createConnection = make;
}

async function hand(
  opening: Promise<Socket>,
  lastUse: WeakMap<Socket, number>,
  callback: ((error: Error | null, stream: Socket) => void) | undefined,
): Promise<void> {
  let socket: Socket;
  try {
    socket = await opening;
  } catch (error) {
    // Node looks at no stream beside an error, whatever its types ask for.
    (callback as ((error: unknown) => void) | undefined)?.(error);
    return;
  }
  lastUse.set(socket, performance.now());
  callback?.(null, socket);
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
