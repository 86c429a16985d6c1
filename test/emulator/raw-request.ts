import { connect } from "node:net";

/** What came back over a socket until it ended; the status is 0 where nothing came. */
export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
  /** Whether the body is as long as its `content-length` says. */
  whole: boolean;
}

/** Sends the text of a request over a socket of its own, and reads until the other side ends it. */
export function sendRaw(port: number, text: string): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    // The emulator answers by names of this machine alone, and the transcripts are of a service.
    const local = text.replace(/^host: \S+\.example\.com\r$/m, "host: 127.0.0.1\r");
    const socket = connect(port, "127.0.0.1", () => socket.write(local));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => {});
    socket.on("close", () => resolve(parseAnswer(Buffer.concat(chunks))));
  });
}

function parseAnswer(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = bytes.subarray(0, Math.max(end, 0)).toString("latin1").split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 4);
  return {
    status: Number(statusLine.split(" ")[1] ?? 0),
    headers,
    body: body.toString("utf8"),
    whole: body.length === Number(headers.get("content-length")),
  };
}

/** The parts of a request; a header of `undefined` is left out, a body that is no text is sent as JSON. */
export interface RawRequest {
  method: string;
  path: string;
  headers?: Record<string, string | undefined>;
  body?: unknown;
}

/** Sends a request with the headers that the interface asks for, but for those that are given. */
export function send(
  port: number,
  { method, path, headers = {}, body = {} }: RawRequest,
): Promise<RawAnswer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const all: Record<string, string | undefined> = {
    host: "127.0.0.1",
    connection: "close",
    "x-api-key": "some-key",
    accept: "application/json",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  );
  return sendRaw(port, [`${method} ${path} HTTP/1.1`, ...lines, "", text].join("\r\n"));
}

/** Sends a POST. */
export function post(port: number, path: string, body: unknown): Promise<RawAnswer> {
  return send(port, { method: "POST", path, body });
}

/** Sends a PUT. */
export function put(port: number, path: string, body: unknown): Promise<RawAnswer> {
  return send(port, { method: "PUT", path, body });
}

/** The body of an answer as JSON. */
export function json(answer: RawAnswer): Record<string, unknown> {
  const value: Record<string, unknown> = JSON.parse(answer.body);
  return value;
}

/** The `tool_ids` of an answer, which must be strings. */
export function toolIds(answer: RawAnswer): string[] {
  const ids = json(answer)["tool_ids"];
  if (!Array.isArray(ids)) throw new TypeError("the answer has no tool_ids");
  return ids.map((id: unknown) => {
    if (typeof id !== "string") throw new TypeError("a tool ID is not a string");
    return id;
  });
}
