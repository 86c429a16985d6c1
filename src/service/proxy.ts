import { getProxyForUrl } from "proxy-from-env";
import { isLoopback } from "./address.js";
import { Secret } from "./secret.js";
import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";
import { unlessFailing } from "../disk/unless-failing.js";

/** A proxy to connect through. */
export interface Proxy {
  /** Whether the connection to the proxy itself uses TLS. */
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  /** The environment variable that sets it, if known. */
  readonly variable?: string;
  /** The value of proxy-authorization, if the proxy's URL has a user. */
  readonly authorization?: Secret;
}

/** The environment sets an unusable proxy; the message does not quote it, because it may contain a password. */
export class ProxyAddressError extends Error {
  constructor(target: string) {
    super(`the proxy that the environment sets for ${target} is not a valid http or https URL`);
  }
}

const variables = ["https_proxy", "http_proxy", "all_proxy"];

/** Finds a target's proxy in the usual variables, upper or lower case, none on loopback; throws ProxyAddressError. */
export function proxyFor(target: URL): Proxy | undefined {
  if (isLoopback(target.hostname)) return undefined;
  if (isExempt(target, process.env.no_proxy || process.env.NO_PROXY || "")) return undefined;
  const named = getProxyForUrl(target);
  if (named === "") return undefined;
  const text = withScheme(named);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "") {
    throw new ProxyAddressError(target.host);
  }
  const secure = url.protocol === "https:";
  const authorization = authorizationOf(url);
  const variable = variableFor(target);
  return {
    secure,
    host: url.hostname.replaceAll(/^\[|\]$/g, ""),
    port: Number(url.port) || (secure ? 443 : 80),
    ...(variable !== undefined && { variable }),
    ...(authorization && { authorization }),
  };
}

function variableFor({ protocol }: URL): string | undefined {
  const names = [`${protocol.slice(0, -1)}_proxy`, "all_proxy"];
  return names.flatMap((name) => [name, name.toUpperCase()]).find((name) => process.env[name]);
}

// The library gives a proxy without a scheme that of the target, but such a proxy uses http.
function withScheme(named: string): string {
  const bare = named.slice(named.indexOf("://") + 3);
  const isBare = variables.some((name) => {
    return process.env[name] === bare || process.env[name.toUpperCase()] === bare;
  });
  return isBare ? `http://${bare}` : named;
}

function authorizationOf({ username, password }: URL): Secret | undefined {
  if (username === "" && password === "") return undefined;
  const credentials = `${decode(username)}:${decode(password)}`;
  return new Secret(`Basic ${Buffer.from(credentials).toString("base64")}`);
}

function decode(text: string): string {
  return unlessFailing(() => decodeURIComponent(text)) ?? text;
}

/** Whether a NO_PROXY list exempts a target, by the rules of curl and Go. */
export function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = withoutBrackets(hostname).replace(/\.$/, "");
  const effectivePort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  const entries = list.toLowerCase().split(/[,\s]+/);
  return entries.some((entry) => entry !== "" && covers(entry, host, effectivePort));
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  const [network = "", prefix] = entry.split("/", 2);
  if (prefix !== undefined) return isWithin(host, withoutBrackets(network), prefix);
  const { name, port: only = port } = splitPort(entry);
  if (only !== port || name === "") return false;
  if (isIP(name) !== 0) return isWithin(host, name, isIP(name) === 4 ? "32" : "128");
  const domain = domainToASCII(name.replace(/^\*?\./, "").replace(/\.$/, ""));
  return domain !== "" && (host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`)));
}

function isWithin(host: string, network: string, prefix: string): boolean {
  const [family, own] = [isIP(network), isIP(host)];
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.POSITIVE_INFINITY;
  if (own === 0 || family === 0 || bits > (family === 4 ? 32 : 128)) return false;
  const range = new BlockList();
  range.addSubnet(network, bits, family === 4 ? "ipv4" : "ipv6");
  return range.check(host, own === 4 ? "ipv4" : "ipv6");
}

// An IPv6 address without brackets has colons and no port.
function splitPort(entry: string): { readonly name: string; readonly port?: string } {
  if (isIP(entry) === 6) return { name: entry };
  const [, name = "", port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  return { name: withoutBrackets(name), ...(port !== undefined && { port }) };
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}
