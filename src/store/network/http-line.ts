import { createHash } from "node:crypto";
import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { createConnections, type ConnectionOptions, type Line } from "../../service/connections.js";
import {
  codeOf,
  decodeBody,
  EXTRA,
  plainHeaders,
  type Answer,
  type Fault,
  type AnswerHead,
} from "../../service/fault.js";
import type { Secret } from "../../service/secret.js";
import { version } from "../../version.js";
import { unlessFailing } from "../../disk/unless-failing.js";

/** The largest state that is read or written, in bytes. */
export const largestState = 25_000_000;

/** One request to the server. */
export interface HttpMessage {
  readonly method: string;
  readonly url: URL;
  /** Headers beside those that every request has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
}

/** How to reach the server. */
export interface LineOptions extends Pick<ConnectionOptions, "ca" | "identity" | "proxyOf"> {
  /** The value of the header `authorization` of every request; undefined for none. */
  readonly authorization?: Secret | undefined;
  /** The time-out of one request, in milliseconds. */
  readonly timeout: number;
  /** How many connections there may be at a time; 1 unless given. */
  readonly concurrency?: number;
}

/** The connection to a server; each request is sent once, and no redirect is followed. */
export interface HttpLine {
  /** Never throws for what the network does: that is a fault. Throws ProxyAddressError. */
  send(message: HttpMessage): Promise<Answer | Fault>;
  close(): void;
}

/** Makes a connection, direct or through a proxy; nothing is opened yet. */
export function createHttpLine({ authorization, timeout, ...reach }: LineOptions): HttpLine {
  const connections = createConnections({ ...reach, timeout });
  return {
    send: (message) =>
      connections.use(true, async () => {
        const isSecure = message.url.protocol === "https:";
        const { http, https } = connections.agents(message.url);
        const request = (isSecure ? httpsRequest : httpRequest)(message.url, {
          method: message.method,
          agent: isSecure ? https : http,
          headers: headersOf(message, authorization),
        });
        return await answerTo(request, connections.watch(request), message.body, timeout);
      }),
    close: () => connections.close(),
  };
}

function headersOf(
  { headers, body }: HttpMessage,
  authorization: Secret | undefined,
): Record<string, string> {
  return {
    accept: "application/json",
    "user-agent": `agentform/${version}`,
    ...(authorization && { authorization: authorization.unwrap() }),
    ...(body === undefined
      ? // A cache on the way would answer a state from before.
        { "cache-control": "no-cache" }
      : {
          "content-type": "application/json",
          "content-length": String(Buffer.byteLength(body)),
          ...digestOf(body),
        }),
    ...headers,
  };
}

// A Node that keeps to FIPS 140 has no MD5, and no server requires it.
function digestOf(body: string): Record<string, string> {
  return unlessFailing(() => ({ "content-md5": createHash("md5").update(body).digest("base64") })) ?? {};
}

async function answerTo(
  request: ClientRequest,
  line: Line,
  body: string | undefined,
  timeout: number,
): Promise<Answer | Fault> {
  let head: AnswerHead | undefined;
  let isLate = false as boolean;
  const timer = setTimeout(() => {
    isLate = true;
    request.destroy(new Error("late"));
  }, timeout);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once("response", resolve).once("error", reject);
      request.once("close", () => reject(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
      request.end(body);
    });
    // After the answer's head, an error of the request is also one of the answer.
    request.on("error", () => undefined);
    head = { status: response.statusCode ?? 0, headers: plainHeaders(response.headers) };
    const bytes = await readBody(response);
    if (bytes === undefined) return { ok: false, code: "OVERSIZE", mayHaveArrived: true, head };
    await line.finish();
    if (line.isOutOfStep()) return { ok: false, code: EXTRA, mayHaveArrived: true };
    return { ok: true, ...head, text: decodeBody(bytes) };
  } catch (thrown) {
    request.destroy();
    const code = line.isOutOfStep() ? EXTRA : codeOf(thrown);
    const mayHaveArrived = line.mayHaveArrived(code);
    return { ok: false, code, mayHaveArrived, ...(isLate && { waited: timeout }), ...(head && { head }) };
  } finally {
    clearTimeout(timer);
  }
}

// Undefined above the limit; leaving the loop closes the connection.
async function readBody(response: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestState) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
