import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as a forge got it. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
}

/** What a forge answers; `drop` ends the connection without an answer, `cut` in the middle of it. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly drop?: boolean;
  readonly cut?: boolean;
}

/** A comment as both forges keep it. */
export interface Kept {
  readonly id: number;
  readonly author: number;
  body: string;
  /** When it was written; before any merge unless given. */
  writtenAt?: string;
  /** Who changed it last, as GitHub's GraphQL has it. */
  editor?: { readonly __typename: string; readonly login: string; readonly databaseId: number };
}

/** When everything was merged that was, and a moment before. */
export const mergedAt = "2026-01-01T00:00:00Z";
export const beforeMerge = "2025-12-31T23:59:59Z";

/** A forge on loopback. */
export interface ForgeServer {
  readonly url: string;
  readonly received: readonly Received[];
  /** Answers the next requests of a method in this way, one after another. */
  fail(method: string, ...answers: readonly Answer[]): void;
  /** The requests that write. */
  writes(): string[];
}

/** Starts a forge that ends with the test; requests for states of Terraform go to a server of them, if there is one. */
export async function startForge(
  answer: (request: Received) => Answer,
  states?: { readonly origin: string },
): Promise<ForgeServer> {
  const received: Received[] = [];
  const faults = new Map<string, Answer[]>();
  const server = createServer((incoming, outgoing) => {
    if (states && /\/terraform\/state\//.test(incoming.url ?? "")) {
      incoming.pipe(forward(incoming, outgoing, states.origin));
      return;
    }
    void respond(incoming, outgoing, (given) => {
      received.push(given);
      return faults.get(given.method)?.shift() ?? answer(given);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    fail: (method, ...answers) => faults.set(method, [...answers]),
    writes: () =>
      received
        .filter(({ method, url }) => method !== "GET" && !url.pathname.endsWith("/graphql"))
        .map(({ method, url }) => `${method} ${url.pathname}`),
  };
}

function forward({ method, headers, url }: IncomingMessage, outgoing: ServerResponse, origin: string) {
  return request(`${origin}${url}`, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  });
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Received) => Answer,
): Promise<void> {
  let text = "";
  for await (const chunk of incoming) text += String(chunk);
  const { method = "", headers } = incoming;
  const url = new URL(incoming.url ?? "/", `http://${headers.host}`);
  const body = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
  const given = answer({ method, url, headers, body });
  if (given.drop) return void incoming.socket.destroy();
  if (given.cut) {
    outgoing.writeHead(given.status, { "content-length": "1000" });
    outgoing.write("{", () => incoming.socket.destroy());
    return;
  }
  outgoing.writeHead(given.status, { "content-type": "application/json", ...given.headers });
  outgoing.end(given.body === undefined ? "" : JSON.stringify(given.body));
}

/** Gives the page of a list that a request asks for, with the `Link` header to the next. */
export function pageOf(list: readonly unknown[], { url }: Received): Answer {
  const [size, page] = [
    Number(url.searchParams.get("per_page") ?? 20),
    Number(url.searchParams.get("page") ?? 1),
  ];
  const next = new URL(url);
  next.searchParams.set("page", String(page + 1));
  const hasNext = page * size < list.length;
  return {
    status: 200,
    headers: hasNext
      ? { link: `<${next.href}>; rel="next"`, "x-next-page": String(page + 1) }
      : { "x-next-page": "" },
    body: list.slice((page - 1) * size, page * size),
  };
}
