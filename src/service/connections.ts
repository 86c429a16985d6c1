import { Agent as HttpAgent, type ClientRequest, type Agent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP, Socket } from "node:net";
import type { Proxy } from "./proxy.js";
import { refusesCertificate } from "./fault.js";
import { openTunnel, type TunnelTarget, type TunnelOptions } from "./tunnel.js";
import { readArrived, type Wire, Wires } from "./wire.js";
import { setTimeout as sleep } from "node:timers/promises";

/** The idle time, in milliseconds, up to which the end of a connection need not be looked for once more. */
const FRESH = 25;

/** How connections are made. */
export interface ConnectionOptions extends Omit<TunnelOptions, "signal"> {
  /** Finds the proxy for a target; undefined for a direct connection. */
  readonly proxyOf: (target: URL) => Proxy | undefined;
}

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** The kept-alive connections of one run, and their state. */
export interface Connections {
  agents(target: URL): Agents;
  /** Runs a try; before a create, connections are closed that the server may be closing as idle. */
  use<Result>(isCreate: boolean, run: () => Promise<Result>): Promise<Result>;
  /** Watches a request on its connection; `onOpen` is called once that is there. */
  watch(request: ClientRequest, onOpen?: (line: Line) => void): Line;
  /** Uses none of the present connections again; what is in flight finishes. */
  renew(): void;
  close(): void;
}

/** One request's use of a connection. */
export interface Line {
  /** Whether a request that failed with this code may have reached the server: true when in doubt. */
  mayHaveArrived(code: string): boolean;
  /** Marks the connection as idle after a complete answer; waits for bytes that may follow it. */
  finish(): Promise<void>;
  /** Whether bytes came beyond the answer, so that it may belong to a different request. */
  isOutOfStep(): boolean;
  /** Whether the connection has been idle for so long since its last answer that the server may be closing it. */
  isStale(): boolean;
  /** The connection cannot be used any more. */
  destroy(): void;
}

/** Makes connections, direct or through proxies; certificates are always checked. */
export function createConnections(options: ConnectionOptions): Connections {
  const wires = new Wires();
  const closing = new AbortController();
  const all: HttpAgent[] = [];
  const byOrigin = new Map<string, Agents>();
  let [underWay, most] = [0, 1];
  // While one rests, the next request has another.
  const limit = (agent: HttpAgent): void => {
    agent.maxSockets = 2 * most;
  };
  const create = (): Agents => {
    const made = createAgents(options, wires);
    all.push(made.http, made.https);
    all.forEach(limit);
    return made;
  };
  const direct = create();

  const agents = (target: URL): Agents => {
    const known = byOrigin.get(target.origin);
    if (known) return known;
    const proxy = options.proxyOf(target);
    const made = proxy ? create() : direct;
    if (proxy) lead(made, proxy, target, { ...options, signal: closing.signal }, wires);
    byOrigin.set(target.origin, made);
    return made;
  };
  const dropUnused = async (): Promise<void> => {
    const { longestIdle } = wires.keepAlive;
    const [first] = idleFor(Math.min(FRESH, longestIdle), all, wires);
    if (!first) return;
    await readArrived();
    for (const socket of idleFor(longestIdle, all, wires)) socket.destroy();
  };
  const use = async <Result>(isCreate: boolean, run: () => Promise<Result>): Promise<Result> => {
    if (++underWay > most) {
      most = underWay;
      all.forEach(limit);
    }
    try {
      if (isCreate) await dropUnused();
      return await run();
    } finally {
      underWay--;
    }
  };
  const close = (): void => {
    closing.abort();
    for (const agent of all) agent.destroy();
    // An answer such as 101 takes its socket out of the agent.
    wires.destroy();
  };
  return {
    agents,
    use,
    watch: (request, onOpen) => watch(request, wires, onOpen),
    renew: () => wires.retire(),
    close,
  };
}

function* idleFor(time: number, agents: readonly HttpAgent[], wires: Wires): Generator<Socket> {
  for (const sockets of agents.flatMap(({ freeSockets }) => Object.values(freeSockets))) {
    for (const socket of sockets ?? []) if (isIdleFor(time, wires.of(socket))) yield socket;
  }
}

function isIdleFor(time: number, { lastUse = 0 }: Wire): boolean {
  return lastUse < performance.now() - time;
}

function createAgents({ ca, identity }: ConnectionOptions, wires: Wires): Agents {
  const http = new HttpAgent({ keepAlive: true });
  const https = new HttpsAgent({ keepAlive: true, ...(ca && { ca }), ...identity, rejectUnauthorized: true });
  for (const agent of [http, https]) {
    const make = agent.createConnection.bind(agent);
    agent.createConnection = (...asked) => {
      const socket = make(...asked);
      if (socket instanceof Socket) wires.of(socket);
      return socket;
    };
    restAfterUse(agent, wires);
  }
  return { http, https };
}

// The agents keep their connections as usual, but open them through the proxy.
function lead(
  { http, https }: Agents,
  proxy: Proxy,
  target: URL,
  options: ConnectionOptions & { readonly signal: AbortSignal },
  wires: Wires,
): void {
  const secure = target.protocol === "https:";
  const host = target.hostname.replaceAll(/^\[|\]$/g, "");
  const port = Number(target.port) || (secure ? 443 : 80);
  // An IP address is not sent as a server name.
  const servername = isIP(host) === 0 ? host : "";
  const end: TunnelTarget = { host, port, servername: secure ? servername : undefined };
  const make: HttpAgent["createConnection"] = (_asked, callback) => {
    void hand(openTunnel(proxy, end, options), wires, callback);
    return undefined;
  };
  http.createConnection = make;
  https.createConnection = make;
}

async function hand(
  opening: Promise<Socket>,
  wires: Wires,
  callback: ((error: Error | null, stream: Socket) => void) | undefined,
): Promise<void> {
  let socket: Socket;
  try {
    socket = await opening;
  } catch (error) {
    // Despite its types, Node passes no stream together with an error.
    (callback as ((error: unknown) => void) | undefined)?.(error);
    return;
  }
  wires.of(socket).lastUse = performance.now();
  callback?.(null, socket);
}

function watch(request: ClientRequest, wires: Wires, onOpen?: (line: Line) => void): Line {
  let wire: Wire | undefined;
  let mayBeSent = (): boolean => false;
  let isFirst = false;
  // Where connections are opened through a proxy, Node may give the error of one to a request that has failed before.
  request.on("error", () => undefined);
  // The event comes before the request is written to the socket.
  request.once("socket", (socket) => {
    const line = wires.of(socket);
    wire = line;
    isFirst = !line.isUsed;
    line.carry(request);
    if (line.lastUse !== undefined) {
      const before = socket.bytesWritten;
      mayBeSent = () => socket.bytesWritten !== before;
      onOpen?.(watched);
      return;
    }
    // Until then, a socket's own count includes bytes that wait for the connection or the handshake.
    let open = !socket.connecting;
    socket.once(request.protocol === "https:" ? "secureConnect" : "connect", () => {
      open = true;
      line.lastUse = performance.now();
      onOpen?.(watched);
    });
    mayBeSent = () => open;
  });
  const watched: Line = {
    // With TLS 1.3, a request is on its way before the server has looked at the certificate of this side.
    mayHaveArrived: (code) => mayBeSent() && !(isFirst && refusesCertificate(code)),
    isStale: () => !isFirst && wire !== undefined && isIdleFor(wires.keepAlive.longestIdle, wire),
    destroy: () => wire?.destroy(),
    finish: async () => {
      if (wire) wire.lastUse = performance.now();
      await readArrived();
    },
    isOutOfStep: () => wire?.isOutOfStep ?? false,
  };
  return watched;
}

/** How many milliseconds a connection rests after an answer: its end, or a second answer, may follow at once. */
const REST = 10;

/** Makes an agent give its connections a rest after each answer. */
function restAfterUse(agent: Agent, wires: Wires): void {
  const listeners = agent.listeners("free");
  agent.removeAllListeners("free");
  const release = (freed: readonly unknown[]): void => {
    for (const listener of listeners) Reflect.apply(listener, agent, freed);
  };
  const releaseLater = async (socket: Socket, freed: readonly unknown[]): Promise<void> => {
    await sleep(REST);
    await readArrived();
    if (wires.keepAlive.longestIdle < REST) socket.destroy();
    release(freed);
  };
  agent.on("free", (...freed) => {
    const [socket] = freed;
    // A new one for a request that waited is free as well.
    if (wires.of(socket).isUsed) void releaseLater(socket, freed);
    else release(freed);
  });
}
