import { setTimeout as sleep } from "node:timers/promises";
import { ForgeError, SurroundingsError } from "./discussion.js";

/** The time, and how to wait; in milliseconds. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** The clock of this machine. */
export const machineClock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds) => {
    await sleep(milliseconds);
  },
};

/** A forge's answer, or why there is none. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const longestWait = 90_000;
const longestRequest = 30_000;
const repetitions = [1000, 2000, 4000];
// GitHub asks for a minute if a limit gives no time.
const unnamedWait = 60_000;
// A limit that asks for no wait may be asked for again at once, for ever.
const leastWait = 1000;
const largestAnswer = 2 ** 27;
/** The most requests of all: pages may lead in a circle. */
const mostRequests = 1000;
/** The last moment that a date can have. */
const lastMoment = 8.64e15;

/**
 * Makes a `fetch` that waits for rate limits, a minute and a half in all, and repeats safe requests. It
 * follows no redirect and no link to another host, for they would get the token; throws ForgeError, and
 * SurroundingsError if others on the way could read the token.
 */
export function patientFetch(forge: string, address: string, clock: Clock): Fetch {
  const origin = originOf(forge, address);
  // Node's own `fetch` obeys it, and would give the token to anybody on the way.
  delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
  let [waited, requests] = [0, 0];
  const outwait = async (response: Response): Promise<boolean> => {
    const wait = limitOf(response, clock.now());
    if (wait === undefined) return false;
    if (waited + wait > longestWait) {
      const until = new Date(Math.min(clock.now() + wait, lastMoment)).toISOString();
      throw new ForgeError(
        `the rate limit of ${forge} is used up until ${until} (${response.status}); run this again then`,
      );
    }
    waited += wait;
    await clock.sleep(wait);
    return true;
  };
  return async (url, init = {}) => {
    if (new URL(url).origin !== origin)
      throw new ForgeError(`${forge} redirects the request to a different address`);
    for (let repeated = 0; ;) {
      if (++requests > mostRequests)
        throw new ForgeError(`${forge} has more pages than ${mostRequests} requests can read`);
      const pause = init.method === "POST" ? undefined : repetitions[repeated];
      const response = await attempt(forge, url, init, pause === undefined);
      if (response && (await outwait(response))) continue;
      if (response && (response.status < 500 || pause === undefined)) return settled(forge, response);
      repeated++;
      await clock.sleep(pause ?? 0);
    }
  };
}

function originOf(forge: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url?.hostname ?? "");
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLocal)) return url.origin;
  throw new SurroundingsError(
    `the address of ${forge}'s API must be an https URL, because the token is sent there`,
  );
}

async function attempt(
  forge: string,
  url: string | URL,
  init: RequestInit,
  isLast: boolean,
): Promise<Response | undefined> {
  let hasBegun = false;
  try {
    const signal = AbortSignal.timeout(longestRequest);
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    hasBegun = true;
    return new Response(await wholeBody(forge, response), response);
  } catch (cause) {
    if (cause instanceof ForgeError) throw cause;
    if (!isLast) return undefined;
    const sent = init.method === "POST" ? "it may have accepted the comment; run this again to find out" : "";
    if (hasBegun) throw new ForgeError(`${forge} broke off its answer; ${sent || "run this again"}`);
    throw new ForgeError(`${forge} could not be reached (${reasonOf(cause)})${sent && `; ${sent}`}`);
  }
}

// The clients take what arrived of an answer that breaks off for all of it, such as a list for an empty one.
async function wholeBody(forge: string, { body }: Response): Promise<Buffer<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > largestAnswer)
      throw new ForgeError(`${forge} answers with more than ${Math.floor(largestAnswer / 1_000_000)} MB`);
    parts.push(part);
  }
  // Some statuses allow no body at all.
  return bytes === 0 ? null : Buffer.concat(parts);
}

function settled(forge: string, response: Response): Response {
  // GitHub's client takes this for the end of a list.
  if (response.status === 409)
    throw new ForgeError(`${forge} is changing what was asked for (409); run this again`);
  if (response.status < 300 || response.status >= 400) return response;
  throw new ForgeError(
    `${forge} redirects the request (${response.status}); the repository may have been renamed`,
  );
}

// How long to wait for an exhausted limit; undefined if the answer names none.
function limitOf({ status, headers }: Response, now: number): number | undefined {
  if (status !== 429 && status !== 403) return undefined;
  const after = Number(headers.get("retry-after") ?? Number.NaN);
  if (Number.isFinite(after)) return Math.max(after * 1000, leastWait);
  const isUsedUp = headers.get("x-ratelimit-remaining") === "0" || headers.get("ratelimit-remaining") === "0";
  const reset = Number(headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset") ?? Number.NaN);
  if (isUsedUp && Number.isFinite(reset)) return Math.max(reset * 1000 - now, leastWait);
  return status === 429 ? unnamedWait : undefined;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "error";
  if (cause.name === "TimeoutError") return "no answer in time";
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  return "code" in inner && typeof inner.code === "string" ? inner.code : "network error";
}
