import type { ClientRequest } from "node:http";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import type { ExtendOptions, Got, HandlerFunction } from "got";
import type { Connections, Line } from "./connections.js";
import { once } from "../json/once.js";
import { Deadline, type Timeouts } from "./deadline.js";
import {
  codeOf,
  decodeBody,
  EARLY,
  EXTRA,
  plainHeaders,
  type Answer,
  type Fault,
  type AnswerHead,
} from "./fault.js";
import { readArrived } from "./wire.js";

const LARGEST_ANSWER = 10_000_000;

/** One request to send. */
export interface Message {
  readonly url: URL;
  readonly method: "POST" | "PUT" | "GET" | "DELETE";
  /** Missing where the method has none. */
  readonly body?: Buffer;
}

/** The settings that all requests of a run share. */
export interface ExchangeOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: Connections;
  readonly timeouts: Timeouts;
}

/** Sends once, all but reads after `ready` resolves; if that rejects, so does this, and nothing was written. */
export type Exchange = (message: Message, ready: () => Promise<void>) => Promise<Answer | Fault>;

/** Makes the exchange of a run. */
export function createExchange(got: Got, options: ExchangeOptions): Exchange {
  const { connections, timeouts } = options;
  const clientAt = once((origin) => got.extend(commonOptions(new URL(origin), options)));
  return async (message, ready) =>
    await exchange(clientAt(message.url.origin), message, ready, connections, timeouts);
}

interface Underway {
  line?: Line;
  head?: AnswerHead;
  /** Whether all of it was written when its answer came. */
  sent?: Promise<boolean>;
  /** The time-out that has passed. */
  waited?: number;
  /** Whether a byte may have been written. */
  isBegun: boolean;
  beginning?: Promise<void>;
}

async function exchange(
  client: Got,
  message: Message,
  ready: () => Promise<void>,
  connections: Connections,
  timeouts: Timeouts,
): Promise<Answer | Fault> {
  const way: Underway = { isBegun: message.method === "GET" };
  const doubt = (code: string): Fault => {
    const { isBegun, head } = way;
    return { ok: false, code, mayHaveArrived: isBegun, ...(head && { head }) };
  };
  let deadline: Deadline | undefined;
  try {
    const { url, method, body } = message;
    // A cache on the way would answer what was there before somebody's change.
    const headers = body ? { "content-length": String(body.length) } : { "cache-control": "no-cache" };
    const stream = client.stream(url, { method, headers });
    const due = new Deadline(timeouts, (limit) => {
      way.waited = limit;
      fail(stream, "ETIMEDOUT");
    });
    deadline = due;
    stream.once("request", (request: ClientRequest) => {
      follow(request, way, stream);
      way.line = connections.watch(request, (line) => {
        if (way.isBegun) return;
        way.beginning = begin(message, ready, line, way, stream);
        way.beginning.catch(() => fail(stream, "NOT_READY"));
      });
      due.follow(request);
    });
    stream.once("response", (response: { statusCode: number; headers: object }) => {
      if (!way.isBegun) return;
      way.head = { status: response.statusCode, headers: plainHeaders(response.headers) };
      due.answered();
    });
    const answer = await readBody(stream);
    const { head, line, sent } = way;
    if (!answer || !head) return doubt("OVERSIZE");
    const isEarly = (await sent) === false;
    // A service may refuse a request before it has read all of it; it cannot have carried out a partial request.
    // After a refusal that was meant for another one, its own answer may follow, when it is sent again.
    if (isEarly || head.status === 429) line?.destroy();
    if (isEarly && head.status < 300) return doubt(EARLY);
    await line?.finish();
    if (line?.isOutOfStep()) return doubt(EXTRA);
    return { ok: true, ...head, text: decodeBody(answer) };
  } catch (error) {
    await way.beginning;
    if (way.line?.isOutOfStep()) return doubt(EXTRA);
    // The error object contains the key and the body, so only its code leaves this function.
    const code = codeOf(error);
    const waited = code === "PROXY_TIMEOUT" ? timeouts.connect : way.waited;
    const mayHaveArrived = way.isBegun && (way.line?.mayHaveArrived(code) ?? false);
    return { ...doubt(code), mayHaveArrived, ...(waited !== undefined && { waited }) };
  } finally {
    deadline?.stop();
  }
}

/** Writes a request once it has its connection, and whoever sends it is ready. */
async function begin(
  { method, body }: Message,
  ready: () => Promise<void>,
  line: Line,
  way: Underway,
  stream: Duplex,
): Promise<void> {
  await ready();
  if (stream.destroyed) return;
  if (method === "POST" && line.isStale()) return fail(stream, "ECONNRESET");
  way.isBegun = true;
  // got waits for a body wherever a method may have one, also for none.
  stream.end(body);
}

function follow(request: ClientRequest, way: Underway, stream: Duplex): void {
  request.prependOnceListener("response", () => {
    if (way.isBegun) way.sent = isSent(request);
    else fail(stream, EXTRA);
  });
  // An answer that changes the protocol ends the request without an error; waiting for it would never end.
  request.once("close", () => {
    if (way.head) return;
    setImmediate(() => {
      if (!way.head) fail(stream, "ECONNRESET");
    });
  });
}

function fail(stream: Duplex, code: string): void {
  stream.destroy(Object.assign(new Error("failed"), { code }));
}

async function isSent(request: ClientRequest): Promise<boolean> {
  // Node confirms what it sent over TLS only after it has looked for what arrived; http may be in a proxy's TLS.
  if (!request.writableFinished && request.socket instanceof TLSSocket) await readArrived();
  return request.writableFinished;
}

function commonOptions(url: URL, { headers, connections }: ExchangeOptions): ExtendOptions {
  return {
    headers: { ...headers },
    agent: { ...connections.agents(url) },
    followRedirect: false,
    throwHttpErrors: false,
    retry: { limit: 0 },
    decompress: true,
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

// Undefined if the answer exceeds the limit, which closes the connection.
async function readBody(stream: Duplex): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  return await new Promise((resolve, reject) => {
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= LARGEST_ANSWER) return void chunks.push(chunk);
      resolve(undefined);
      stream.destroy();
    });
    stream.once("end", () => resolve(Buffer.concat(chunks)));
    // A stream that was destroyed may have several errors, and one without a listener would end the process.
    stream.on("error", reject);
    stream.once("close", () => reject(new Error("closed")));
  });
}
