import type { ClientRequest } from "node:http";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import type { ExtendOptions, Got, HandlerFunction } from "got";
import type { Connections, Line } from "./connections.js";
import { Deadline, type Timeouts } from "./deadline.js";
import { EARLY, EXTRA, type Answer, type Fault, type AnswerHead } from "./fault.js";
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

/**
 * Sends a request once and reads its answer; a problem is returned as a fault. All but reads are written once they have
 * their connection and then `ready` resolves; if that rejects, so does this, and nothing was written.
 */
export type Exchange = (message: Message, ready?: () => Promise<void>) => Promise<Answer | Fault>;

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
  return async (message, ready = async () => undefined) =>
    await exchange(clientFor, message, ready, connections, timeouts);
}

async function exchange(
  clientFor: (url: URL) => Got,
  { url, method, body }: Message,
  ready: () => Promise<void>,
  connections: Connections,
  timeouts: Timeouts,
): Promise<Answer | Fault> {
  let line: Line | undefined;
  let head: AnswerHead | undefined;
  let sent: Promise<boolean> | undefined;
  let waited: number | undefined;
  /** Whether a byte may have been written. */
  let isBegun = method === "GET";
  let beginning: Promise<void> | undefined;
  const doubt = (code: string): Fault => ({
    ok: false,
    code,
    mayHaveArrived: isBegun,
    ...(head && { head }),
  });
  let deadline: Deadline | undefined;
  try {
    const headers = body && { "content-length": String(body.length) };
    const stream = clientFor(url).stream(url, { method, ...(headers && { headers }) });
    const fail = (code: string) => void stream.destroy(Object.assign(new Error("failed"), { code }));
    const due = new Deadline(timeouts, (limit) => {
      waited = limit;
      fail("ETIMEDOUT");
    });
    deadline = due;
    const begin = async (opened: Line): Promise<void> => {
      await ready();
      // What comes before a request, such as the end of the connection, is seen before it is written.
      await readArrived();
      if (stream.destroyed) return;
      if (method === "POST" && opened.isStale()) return fail("ECONNRESET");
      isBegun = true;
      // got waits for a body wherever a method may have one, also for none.
      stream.end(body);
    };
    stream.once("request", (request: ClientRequest) => {
      line = connections.watch(request, (opened) => {
        if (isBegun) return;
        beginning = begin(opened);
        beginning.catch(() => fail("NOT_READY"));
      });
      due.follow(request);
      request.prependOnceListener("response", () => {
        if (!isBegun) return fail(EXTRA);
        sent = isSent(request);
      });
      // An answer that changes the protocol ends the request without an error; waiting for it would never end.
      request.once("close", () => {
        if (head) return;
        setImmediate(() => {
          if (!head) fail("ECONNRESET");
        });
      });
    });
    stream.once("response", (response: { statusCode: number; headers: object }) => {
      if (!isBegun) return;
      head = { status: response.statusCode, headers: plainHeaders(response.headers) };
      due.answered();
    });
    const answer = await readBody(stream);
    if (!answer || !head) return doubt("OVERSIZE");
    const isEarly = (await sent) === false;
    // A service may refuse a request before it has read all of it; it cannot have carried out a partial request.
    // After a refusal that was meant for another one, its own answer may follow, when it is sent again.
    if (isEarly || head.status === 429) line?.destroy();
    if (isEarly && head.status < 300) return doubt(EARLY);
    await line?.finish();
    if (line?.isOutOfStep()) return doubt(EXTRA);
    return { ok: true, ...head, text: decode(answer) };
  } catch (error) {
    await beginning;
    if (line?.isOutOfStep()) return doubt(EXTRA);
    // The error object contains the key and the body, so only its code leaves this function.
    const code = codeOf(error);
    if (code === "PROXY_TIMEOUT") waited = timeouts.connect;
    const mayHaveArrived = isBegun && (line?.mayHaveArrived(code) ?? false);
    return { ...doubt(code), mayHaveArrived, ...(waited !== undefined && { waited }) };
  } finally {
    deadline?.stop();
  }
}

async function isSent(request: ClientRequest): Promise<boolean> {
  // Node confirms what it has sent over TLS only after it has looked for what has arrived; http may be over the TLS of
  // a proxy.
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

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(body: Buffer): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

function plainHeaders(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
