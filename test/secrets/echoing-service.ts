import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as an echoing service got it. */
export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** How a service gives back what it was told. */
export type Manner = (heard: Heard, response: ServerResponse) => void;

export interface EchoingService {
  readonly url: string;
  readonly heard: Heard[];
  /** Changes how it answers from now on. */
  behave(manner: Manner): void;
  /** Ends what hangs. */
  end(): void;
}

/** Starts a service that answers with what it was told, the key and the secrets in it. */
export async function echoingService(manner: Manner): Promise<EchoingService> {
  const heard: Heard[] = [];
  let current = manner;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "", url = "", headers } = incoming;
      const one = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
      heard.push(one);
      current(one, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    behave: (next) => {
      current = next;
    },
    end: () => server.closeAllConnections(),
  };
}

let made = 0;

/** All that was told, in every form that a service might give it back in. */
function echoOf({ headers, body }: Heard): Record<string, unknown> {
  const texts = [String(headers["x-api-key"]), ...textsIn(JSON.parse(body))];
  return {
    headers,
    sent: JSON.parse(body),
    raw: body,
    url: texts.map(encodeURIComponent),
    form: texts.map((text) => new URLSearchParams({ text }).toString()),
    base64: texts.map((text) => Buffer.from(`user:${text}`).toString("base64")),
    html: texts.map((text) =>
      text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
    ),
  };
}

/** Answers as the service should, with everything echoed beside the IDs. */
export const echoes: Manner = (heard, response) => {
  const id = `id-${++made}`;
  const ids = { _id: id, agent_id: id, credential_id: id, tool_ids: [`${id}-a`, `${id}-b`] };
  answer(response, 200, { ...ids, message: "done", ...echoOf(heard) }, heard);
};

/** Refuses or fails with a status, everything echoed. */
export function fails(status: number): Manner {
  return (heard, response) => answer(response, status, echoOf(heard), heard);
}

/** Answers a 422 (docs/reference/interface.md, section 4), with secrets in the place, the message and the type of each item. */
export const rejects: Manner = (heard, response) => {
  const detail = textsIn(JSON.parse(heard.body)).map((text) => {
    return { loc: ["body", text, String(heard.headers["x-api-key"])], msg: `no ${text}`, type: text };
  });
  answer(response, 422, { detail, ...echoOf(heard) }, heard);
};

/** Takes what it is told, and gives all of it back when it is told of an agent. */
export function recalls(): Manner {
  const all: Heard[] = [];
  return (heard, response) => {
    all.push(heard);
    if (!heard.path.startsWith("/v3/agents/")) echoes(heard, response);
    else answer(response, 400, { others: all.filter(({ path }) => path !== heard.path).toReversed() }, heard);
  };
}

/** Makes its IDs of secrets. */
export const identifies: Manner = (heard, response) => {
  const key = String(heard.headers["x-api-key"]);
  const id = `${key}-${++made}`;
  const ids = {
    _id: id,
    agent_id: id,
    credential_id: id,
    tool_ids: [`${id}-a`, { name: id, method: "GET", path: "/x" }],
  };
  answer(response, 200, ids, heard);
};

/** Answers with secrets for names, and no ID. */
export const names: Manner = (heard, response) => {
  const texts = [String(heard.headers["x-api-key"]), ...textsIn(JSON.parse(heard.body))];
  answer(response, 200, Object.fromEntries(texts.map((text) => [text, 1])), heard);
};

/** Answers no JSON. */
export const babbles: Manner = (heard, response) => {
  response.writeHead(200, { "content-type": "text/html" });
  response.end(`<p>${String(heard.headers["x-api-key"])} ${heard.body}</p>`);
};

/** Answers with a redirect to an address that holds the key. */
export const redirects: Manner = (heard, response) => {
  const key = encodeURIComponent(String(heard.headers["x-api-key"]));
  response.writeHead(302, { location: `https://elsewhere.test/?key=${key}` });
  response.end(heard.body);
};

/** Breaks off in the middle of its answer. */
export const breaks: Manner = (heard, response) => {
  response.writeHead(200, { "content-length": 100_000, ...echoHeaders(heard) });
  response.write(heard.body, () => response.destroy());
};

/** Answers what is no HTTP. */
export const garbles: Manner = (heard, response) => {
  response.socket?.end(`${String(heard.headers["x-api-key"])} ${heard.body}\r\n\r\n`);
};

/** Ends the connection without an answer. */
export const drops: Manner = (_heard, response) => void response.destroy();

function answer(response: ServerResponse, status: number, body: object, heard: Heard): void {
  response.writeHead(status, { "content-type": "application/json", ...echoHeaders(heard) });
  response.end(JSON.stringify(body));
}

function echoHeaders({ headers, body }: Heard): Record<string, string> {
  const key = String(headers["x-api-key"]);
  return {
    "x-request-id": key,
    "set-cookie": `k=${encodeURIComponent(key)}`,
    "x-echo": encodeURIComponent(body),
  };
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
