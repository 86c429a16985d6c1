import { request as httpRequest, type ClientRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { EARLY } from "./fault.js";
import type { Proxy } from "./proxy.js";

/** A certificate of the client with its key, as PEM texts. */
export interface ClientIdentity {
  readonly cert: string;
  readonly key: string;
}

/** Where a tunnel leads. */
export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
  /** The name for the target's certificate, empty for an address; undefined for http. */
  readonly servername: string | undefined;
}

/** The options of a tunnel; times in milliseconds. */
export interface TunnelOptions {
  /** The time-out for a connection through a proxy, including the TLS handshake with the target. */
  readonly timeout: number;
  /** Certificates to trust instead of Node's own, as PEM texts. */
  readonly ca?: string[] | undefined;
  /** The certificate by which this side is known, as PEM texts. */
  readonly identity?: ClientIdentity | undefined;
  /** Aborts the opening. */
  readonly signal: AbortSignal;
}

/** No connection through the proxy: the code is `PROXY_` and either the status of its answer or a system's code. */
class TunnelError extends Error {
  readonly code: string;

  constructor(code: string) {
    super("no connection through the proxy");
    this.code = `PROXY_${code}`;
  }
}

/** Opens a connection through a proxy (CONNECT); for https with the handshake done, so the proxy reads nothing. */
export async function openTunnel(
  proxy: Proxy,
  target: TunnelTarget,
  options: TunnelOptions,
): Promise<Socket> {
  const late = AbortSignal.timeout(options.timeout);
  const stop = AbortSignal.any([options.signal, late]);
  try {
    const socket = await connectThrough(proxy, target, options.ca, stop);
    return target.servername === undefined ? socket : await secure(socket, target, options, stop);
  } catch (error) {
    if (late.aborted) throw new TunnelError("TIMEOUT");
    throw error;
  }
}

async function connectThrough(
  proxy: Proxy,
  { host, port }: TunnelTarget,
  ca: string[] | undefined,
  stop: AbortSignal,
): Promise<Socket> {
  const authority = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  const { authorization } = proxy;
  const request = (proxy.secure ? httpsRequest : httpRequest)({
    host: proxy.host,
    port: proxy.port,
    method: "CONNECT",
    path: authority,
    headers: { host: authority, ...(authorization && { "proxy-authorization": authorization.unwrap() }) },
    agent: false,
    ...(proxy.secure && { rejectUnauthorized: true, ...(ca && { ca }) }),
  });
  const answer = answerOf(request);
  const ignore = whenAborted(stop, () => void request.destroy());
  try {
    return await answer;
  } finally {
    ignore();
  }
}

// A run that ended before the connection was asked for has no event any more.
function whenAborted(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) run();
  else signal.addEventListener("abort", run);
  return () => signal.removeEventListener("abort", run);
}

async function answerOf(request: ClientRequest): Promise<Socket> {
  return await new Promise<Socket>((resolve, reject) => {
    request.once("connect", ({ statusCode = 0 }, socket, head) => {
      if (statusCode >= 200 && statusCode <= 299) {
        // Bytes that come before a request are not an answer to it.
        if (head.length === 0) {
          resolve(socket);
          return;
        }
        socket.destroy();
        reject(new TunnelError(EARLY));
        return;
      }
      socket.destroy();
      reject(new TunnelError(String(statusCode)));
    });
    // Later failures belong to the connection; the listener stays, so that they are not thrown.
    request.on("error", (error: NodeJS.ErrnoException) => reject(new TunnelError(error.code ?? "")));
    request.once("close", () => reject(new TunnelError("ECONNRESET")));
    request.end();
  });
}

async function secure(
  socket: Socket,
  { host, servername = "" }: TunnelTarget,
  { ca, identity }: TunnelOptions,
  stop: AbortSignal,
): Promise<TLSSocket> {
  const trust = { rejectUnauthorized: true, ...(ca && { ca }), ...identity };
  const line = connectTls({ socket, host, servername, ...trust });
  const secured = new Promise<void>((resolve, reject) => {
    line.once("secureConnect", resolve);
    line.once("error", reject);
    line.once("close", () => reject(new TunnelError("ECONNRESET")));
  });
  const ignore = whenAborted(stop, () => void line.destroy());
  try {
    await secured;
  } finally {
    ignore();
    if (!line.authorized) line.destroy();
  }
  return line;
}
