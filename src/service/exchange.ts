import type { ClientRequest } from "node:http";
import type { ExtendOptions, Got, HandlerFunction } from "got";
import type { Connections, Line } from "./connections.js";
import { EARLY, EXTRA, type Answer, type Fault, type Head } from "./fault.js";

const LARGEST_ANSWER = 10_000_000;

/** The time-outs of the parts of one try, in milliseconds. */
export interface Timeouts {
  /** For each of name look-up, connection and TLS handshake. */
  readonly connect: number;
  readonly send: number;
  /** From the last sent byte to the head of the answer. */
  readonly response: number;
  /** The whole try. */
  readonly total: number;
}

/** One request to send. */
export interface Message {
  readonly url: URL;
  readonly method: "POST" | "PUT" | "GET" | "DELETE";
  /** Missing where the method has none. */
  readonly body?: string;
}

/** The settings that all requests of a run share. */
export interface ExchangeOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: Connections;
  readonly timeouts: Timeouts;
}

/** Sends a request once and reads its answer; never throws: a problem is returned as a fault. */
export type Exchange = (message: Message) => Promise<Answer | Fault>;

/** Makes the exchange of a run. */
export function createExchange(got: Got, options: ExchangeOptions): Exchange {
  const { connections, timeouts } = options;
  const byOrigin = new Map<string, Got>();
  const clientFor = (url: URL): Got => {
    const known = byOrigin.get(url.origin);
    if (known) return known;
    const made = got.extend(commonOptions(url, options));
    byOrigin.set(url.origin, made);
    return made;
  };
  return async (message) => await exchange(clientFor, message, connections, timeouts);
}

async function exchange(
  clientFor: (url: URL) => Got,
  { url, method, body }: Message,
  connections: Connections,
  timeouts: Timeouts,
): Promise<Answer | Fault> {
  let line: Line | undefined;
  let head: Head | undefined;
  let isEarly = false;
  const doubt = (code: string): Fault => ({ code, mayHaveArrived: true, ...(head && { head }) });
  try {
    const stream = clientFor(url).stream(url, { method, ...(body !== undefined && { body }) });
    // got waits for a body wherever a method may have one.
    if (body === undefined && method !== "GET") stream.end();
    stream.once("request", (request: ClientRequest) => {
      line = connections.watch(request);
      request.prependOnceListener("response", () => {
        isEarly = !request.writableFinished;
      });
      // An answer that changes the protocol ends the request without an error; waiting for it would never end.
      request.once("close", () => {
        setImmediate(() => {
          if (!head) stream.destroy(Object.assign(new Error("closed"), { code: "ECONNRESET" }));
        });
      });
    });
    stream.once("response", (response: { statusCode: number; headers: object }) => {
      head = { status: response.statusCode, headers: plainHeaders(response.headers) };
    });
    const answer = await readBody(stream);
    if (!answer || !head) return doubt("OVERSIZE");
    // A service may refuse a request before it has read all of it; it cannot have carried out a partial request.
    if (isEarly) line?.destroy();
    if (isEarly && head.status < 300) return doubt(EARLY);
    await line?.finish();
    if (line?.isOutOfStep()) return doubt(EXTRA);
    return { status: head.status, headers: head.headers, text: decode(answer) };
  } catch (error) {
    if (line?.isOutOfStep()) return doubt(EXTRA);
    // The error object contains the key and the body, so only its code leaves this function.
    return {
      ...faultOf(error, timeouts),
      mayHaveArrived: line?.mayHaveArrived() ?? false,
      ...(head && { head }),
    };
  }
}

function commonOptions(url: URL, { headers, connections, timeouts }: ExchangeOptions): ExtendOptions {
  const { connect, send, response, total } = timeouts;
  return {
    headers: { ...headers },
    agent: { ...connections.agents(url) },
    followRedirect: false,
    throwHttpErrors: false,
    retry: { limit: 0 },
    decompress: true,
    timeout: { lookup: connect, connect, secureConnect: connect, send, response, request: total },
    // got copies frozen defaults for each request, key by key.
    mutableDefaults: true,
    handlers: [shareShapes],
  };
}

// If they are not frozen, the copies that got makes cost 20 kB of memory for each request until a full collection.
const shareShapes: HandlerFunction = (options, next) => {
  Object.freeze(options.cacheOptions);
  return next(options);
};

// Undefined if the answer exceeds the limit; leaving the loop closes the connection.
async function readBody(stream: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > LARGEST_ANSWER) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(body: Buffer): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

function plainHeaders(headers: object): Record<string, string> {
  const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return Object.fromEntries(texts);
}

function faultOf(error: unknown, timeouts: Timeouts): { code: string; waited?: number } {
  if (typeof error !== "object" || error === null) return { code: "" };
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const event = "event" in error ? error.event : undefined;
  if (event === "lookup" || event === "connect" || event === "secureConnect") {
    return { code, waited: timeouts.connect };
  }
  if (event === "send" || event === "response") return { code, waited: timeouts[event] };
  if (code === "PROXY_TIMEOUT") return { code, waited: timeouts.connect };
  return event === "request" ? { code, waited: timeouts.total } : { code };
}
