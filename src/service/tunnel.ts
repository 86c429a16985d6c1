import { request as httpRequest, type ClientRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { EARLY } from "./fault.js";
import type { Proxy } from "./proxy.js";

/** Where a tunnel leads. */
export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
  /** The name that the target's certificate is asked for, empty for an address; undefined for http. */
  readonly servername: string | undefined;
}

/** How a tunnel is made; times in milliseconds. */
export interface TunnelOptions {
  /** How long it may take to reach the target, its TLS handshake included. */
  readonly timeout: number;
  /** Certificates to trust, as PEM texts; Node's own without it. */
  readonly ca?: string[] | undefined;
  /** Ends what is being opened. */
  readonly signal: AbortSignal;
}

/** No connection through the proxy: the code is `PROXY_` with the status that it answered, or with a system's code. */
class TunnelError extends Error {
  override readonly name = "TunnelError";
  readonly code: string;

  constructor(code: string) {
    super("no connection through the proxy");
    this.code = `PROXY_${code}`;
  }
}

/**
 * Opens a connection to a target through a proxy (CONNECT), over which no byte of a request has gone yet.
 * For https the handshake with the target is done, so the proxy sees nothing of what follows.
 */
export async function openTunnel(
  proxy: Proxy,
  target: TunnelTarget,
  options: TunnelOptions,
): Promise<Socket> {
  const late = AbortSignal.timeout(options.timeout);
  const stop = AbortSignal.any([options.signal, late]);
  try {
    const socket = await connectThrough(proxy, target, options.ca, stop);
    return target.servername === undefined ? socket : await secure(socket, target, options.ca, stop);
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
  const abort = (): void => void request.destroy();
  stop.addEventListener("abort", abort);
  try {
    return await answerOf(request);
  } finally {
    stop.removeEventListener("abort", abort);
  }
}

async function answerOf(request: ClientRequest): Promise<Socket> {
  return await new Promise<Socket>((resolve, reject) => {
    request.once("connect", ({ statusCode = 0 }, socket, head) => {
      if (statusCode >= 200 && statusCode <= 299) {
        // What speaks before it is asked answers no request of ours.
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
    // What fails after the answer is the connection's own matter; the listener stays, so that it is not thrown.
    request.on("error", (error: NodeJS.ErrnoException) => reject(new TunnelError(error.code ?? "")));
    request.once("close", () => reject(new TunnelError("ECONNRESET")));
    request.end();
  });
}

async function secure(
  socket: Socket,
  { host, servername = "" }: TunnelTarget,
  ca: string[] | undefined,
  stop: AbortSignal,
): Promise<TLSSocket> {
  const line = connectTls({ socket, host, servername, rejectUnauthorized: true, ...(ca && { ca }) });
  const abort = (): void => void line.destroy();
  stop.addEventListener("abort", abort);
  try {
    await new Promise<void>((resolve, reject) => {
      line.once("secureConnect", resolve);
      line.once("error", reject);
      line.once("close", () => reject(new TunnelError("ECONNRESET")));
    });
  } finally {
    stop.removeEventListener("abort", abort);
    if (!line.authorized) line.destroy();
  }
  return line;
}
