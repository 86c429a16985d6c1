import type { ClientRequest } from "node:http";
import type { Got, OptionsInit } from "got";
import type { Connections, Line } from "./connections.js";
import type { Answer, Fault, Head } from "./fault.js";

const LARGEST_ANSWER = 10_000_000;

/** How long each part of one try may take, in milliseconds. */
export interface Timeouts {
  /** Each of looking the name up, connecting and the TLS handshake. */
  readonly connect: number;
  readonly send: number;
  /** From the last byte sent to the answer's head. */
  readonly response: number;
  /** The whole try. */
  readonly total: number;
}

/** One request as it goes out. */
export interface Message {
  readonly url: URL;
  readonly method: "POST" | "PUT";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a message once and reads its answer; never fails: what goes wrong is a fault. */
export async function exchange(
  got: Got,
  message: Message,
  connections: Connections,
  timeouts: Timeouts,
): Promise<Answer | Fault> {
  let line: Line | undefined;
  let head: Head | undefined;
  try {
    const stream = got.stream(message.url, requestOptions(message, connections, timeouts));
    stream.once("request", (request: ClientRequest) => {
      line = connections.watch(request);
      // An answer that changes the protocol ends the request without an error, and would be waited for forever.
      request.once("close", () => {
        setImmediate(() => {
          if (!head) stream.destroy(new Error("closed"));
        });
      });
    });
    stream.once("response", (response: { statusCode: number; headers: object }) => {
      head = { status: response.statusCode, headers: plainHeaders(response.headers) };
    });
    const body = await readBody(stream);
    if (body && head) {
      line?.finished();
      return { ...head, text: decode(body) };
    }
    return { code: "OVERSIZE", mayHaveArrived: true, ...(head && { head }) };
  } catch (error) {
    // The error itself holds the key and the body, so nothing but its code leaves this function.
    return {
      ...codeOf(error, timeouts),
      mayHaveArrived: line?.mayHaveArrived() ?? false,
      ...(head && { head }),
    };
  }
}

type StreamOptions = OptionsInit & { isStream?: true };

function requestOptions(message: Message, connections: Connections, timeouts: Timeouts): StreamOptions {
  const { connect, send, response, total } = timeouts;
  return {
    method: message.method,
    headers: { ...message.headers },
    body: message.body,
    agent: { ...connections.agents(message.url) },
    followRedirect: false,
    throwHttpErrors: false,
    retry: { limit: 0 },
    decompress: true,
    timeout: { lookup: connect, connect, secureConnect: connect, send, response, request: total },
  };
}

// Undefined if the answer is beyond the limit; leaving the loop closes the connection.
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

function decode(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function plainHeaders(headers: object): Record<string, string> {
  const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return Object.fromEntries(texts);
}

function codeOf(error: unknown, timeouts: Timeouts): { code: string; waited?: number } {
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
