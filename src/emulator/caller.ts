import type { IncomingHttpHeaders } from "node:http";
import { timingSafeEqual } from "node:crypto";
import { type EmulatedAnswer, refuse } from "./kind.js";
import { consolePath } from "./router.js";

/** The most bytes of a body: more than the largest tool set that agentform sends. */
export const mostBytes = 128_000_000;

/** The keys that are asked for: of the service, where any will do unless one is given, and of its console. */
export interface CallerKeys {
  readonly apiKey?: string | undefined;
  readonly consoleKey: string;
}

/** Refuses, before a byte of the body is kept, who has no key, and pages of a browser, which any site can show. */
export function refuseCaller(
  { path, headers }: { readonly path: string; readonly headers: IncomingHttpHeaders },
  keys: CallerKeys,
): EmulatedAnswer | undefined {
  const { host = "", origin } = headers;
  if (!isLoopback(`http://${host}`)) return refuse(403, "The Host header must name this machine");
  if (origin !== undefined && origin !== `http://${host}`)
    return refuse(403, "Pages of another origin are not answered");
  const isConsole = path.startsWith(consolePath);
  if (passes(isConsole ? keys.consoleKey : keys.apiKey, headers["x-api-key"])) return undefined;
  const which = isConsole ? ", which is the key of the console" : "";
  return refuse(401, `The x-api-key header is missing or wrong${which}`);
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(url).hostname);
}

function passes(expected: string | undefined, key: string | string[] | undefined): boolean {
  if (typeof key !== "string" || key === "") return false;
  if (expected === undefined) return true;
  const [a, b] = [Buffer.from(expected), Buffer.from(key)];
  return a.length === b.length && timingSafeEqual(a, b);
}
