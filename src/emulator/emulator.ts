import { randomBytes } from "node:crypto";
import { once, setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type CallerKeys, mostBytes, refuseCaller } from "./caller.js";
import { answerEdit, type ConsoleEdit, EditError } from "./edit.js";
import { type EmulatedFault, FaultQueue } from "./fault.js";
import { type EmulatedAnswer, type EmulatedService, refuse } from "./kind.js";
import { isObject } from "../json/json.js";
import { renderAnswer, type Reply, replyInstead, sendReply, spoilReply } from "./reply.js";
import { answerRequest, editPath, type ArrivedRequest } from "./router.js";
import { Storage, type StoredObjects } from "./storage.js";
import type { Answers, EmulatedOperations, Lists } from "./world.js";

/** The options of an emulator; all are optional. */
export interface EmulatorOptions {
  /** The port on 127.0.0.1; 0, the default, takes any free one. */
  port?: number | undefined;
  /** The folder that keeps the objects over a restart; without it they are only in memory. */
  data?: string | undefined;
  /** Folders whose content others may have written; no link below them is followed to the data. */
  checkouts?: readonly string[] | undefined;
  /** How answers look where deployments differ; `opaque` by default. */
  answers?: Answers | undefined;
  /** What the service can do; `documented` by default. */
  operations?: EmulatedOperations | undefined;
  /** The form of lists and reads of a full service; `array` by default. */
  lists?: Lists | undefined;
  /** How many objects a page has, where lists have pages; 10 by default. */
  pageSize?: number | undefined;
  /** The only accepted key; without it, any non-empty key is accepted. */
  apiKey?: string | undefined;
  /** The key of its console, `/__emulator/`; a random one unless given. */
  consoleKey?: string | undefined;
  faults?: readonly EmulatedFault[] | undefined;
  /** Receives one line for each request, without a line end. */
  log?: ((line: string) => void) | undefined;
  /** The delay of each answer, in milliseconds. */
  latency?: number | undefined;
  /** Makes the IDs repeatable; without it, they are random. */
  seed?: string | undefined;
}

/** A received request; the status is 0 until it is answered, and stays 0 if it never is. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** A running emulator. */
export interface Emulator {
  /** Serves as base_url and as rai_base_url. */
  readonly url: string;
  readonly port: number;
  /** What `/__emulator/` asks for as `x-api-key`. */
  readonly consoleKey: string;
  /** All requests that came with a key, in the order of their arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** Gives a copy of everything that is stored. */
  objects: () => StoredObjects;
  /** Does what somebody may do in the console of the service, and gives the IDs; throws EditError if refused. */
  edit: (edit: ConsoleEdit) => string[];
  /** Ends all connections at once, also those in use. */
  close: () => Promise<void>;
}

interface RunningEmulator {
  keys: CallerKeys;
  service: EmulatedService;
  faults: FaultQueue;
  latency: number;
  log: (line: string) => void;
  requests: { method: string; path: string; status: number }[];
  stopped: AbortSignal;
}

/** Starts the service on loopback; rejects with StorageError for an unusable folder, Node's error for a taken port. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const stop = new AbortController();
  // Every delayed answer listens to this signal, and there may be many.
  setMaxListeners(0, stop.signal);
  const running = prepare(options, stop.signal);
  const server = createServer((incoming, response) => void serve(running, incoming, response));
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  let closed: Promise<unknown> | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    consoleKey: running.keys.consoleKey,
    requests: running.requests,
    objects: () => running.service.storage.objects(),
    edit: (edit) => editByHand(running, edit),
    async close() {
      stop.abort();
      closed ??= once(server.close(), "close");
      server.closeAllConnections();
      await closed;
    },
  };
}

function prepare(options: EmulatorOptions, stopped: AbortSignal): RunningEmulator {
  const { data: path, checkouts: below = [], operations = "documented", apiKey } = options;
  return {
    keys: { apiKey, consoleKey: options.consoleKey ?? randomBytes(16).toString("hex") },
    service: {
      storage: new Storage(path === undefined ? undefined : { path, below }, options.seed, operations),
      answers: options.answers ?? "opaque",
      operations,
      lists: options.lists ?? "array",
      pageSize: options.pageSize ?? 10,
      now: () => new Date().toISOString(),
    },
    faults: new FaultQueue(options.faults ?? []),
    latency: options.latency ?? 0,
    log: options.log ?? (() => {}),
    requests: [],
    stopped,
  };
}

function editByHand({ service, log }: RunningEmulator, edit: ConsoleEdit): string[] {
  const { status, body, did } = answerEdit(service, structuredClone(edit));
  log(renderLogLine("POST", editPath, status, did));
  const ids = isObject(body) ? body["ids"] : undefined;
  if (!Array.isArray(ids)) throw new EditError(did);
  return ids.map(String);
}

async function serve(
  running: RunningEmulator,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { path, query } = placeOf(incoming.url ?? "/");
  const received = { method: incoming.method ?? "", path, status: 0 };
  try {
    const refusal = refuseCaller({ path, headers: incoming.headers }, running.keys);
    if (!refusal) running.requests.push(received);
    const body = refusal ? undefined : await readBody(incoming);
    if (body === undefined) {
      const { status, did, ...answer } = refusal ?? refuse(413, "The body is too large");
      received.status = status;
      running.log(renderLogLine(received.method, path, status, did));
      // What is still to come is not waited for, and not kept.
      incoming.resume();
      return sendReply(response, renderAnswer({ ...answer, status, did, headers: { connection: "close" } }));
    }
    // The hand is no part of the service that a fault plays.
    const fault = path === editPath ? undefined : running.faults.take(received.method, path);
    const request = { ...received, query, headers: incoming.headers, body };
    const { reply, did } = perform(running.service, request, fault);
    await pause(running, fault);
    received.status = reply.status;
    running.log(renderLogLine(received.method, received.path, reply.status, did));
    sendReply(response, reply);
  } catch {
    running.log(renderLogLine(received.method, received.path, 0, "the connection ended before an answer"));
    response.destroy();
  }
}

function perform(
  service: EmulatedService,
  request: ArrivedRequest,
  fault: EmulatedFault | undefined,
): { reply: Reply; did: string } {
  const instead = fault && replyInstead(fault);
  if (instead !== undefined) return { reply: instead, did: "a fault; nothing was done" };
  const answer = answerSafely(service, request);
  const reply = renderAnswer(answer);
  if (fault === undefined) return { reply, did: answer.did };
  return { reply: spoilReply(reply, fault), did: `${answer.did}; then a fault` };
}

function answerSafely(service: EmulatedService, request: ArrivedRequest): EmulatedAnswer {
  try {
    return answerRequest(service, request);
  } catch (error) {
    const why = error instanceof Error ? error.message : "for no known reason";
    return { status: 500, body: { message: "The emulator could not store this" }, did: `failed: ${why}` };
  }
}

async function pause({ latency, stopped }: RunningEmulator, fault: EmulatedFault | undefined): Promise<void> {
  const time = latency + (fault !== undefined && "delay" in fault ? fault.delay : 0);
  if (time > 0) await sleep(time, undefined, { signal: stopped });
}

// Nothing of a body that is too large.
async function readBody(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    length += (chunk as Uint8Array).length;
    if (length > mostBytes) return undefined;
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

function placeOf(url: string): { path: string; query: URLSearchParams } {
  const [path = "", ...query] = url.replace(/^https?:\/\/[^/?]*/i, "").split("?");
  return { path: path || "/", query: new URLSearchParams(query.join("?")) };
}

/** Renders a request as one line: method, path, status (`-` if not answered) and what was done. */
function renderLogLine(method: string, path: string, status: number, did: string): string {
  return `${method} ${path} ${status === 0 ? "-" : status} ${did}`.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
