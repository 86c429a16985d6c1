import { isObject, listOf, type Json, type JsonObject } from "../../json/json.js";

/** An address that calls may go to, as one client or another reads it. */
export interface ServerAddress {
  /** Such as `https`; empty where it is that of the document's own address. */
  readonly scheme: string;
  /** With a port that is not the scheme's own, in punycode; empty for a relative address. */
  readonly host: string;
  /** The whole in one spelling, without a slash at its end; as written where it is relative. */
  readonly text: string;
  /** The host as it is written, where that is not in ASCII. */
  readonly written?: string;
}

/** Where a document is served is not known; no real host has this name. */
const unknownPlace = "https://document.invalid/";
const unknownHost = "document.invalid";

/** Gives the addresses of servers, with each value of a variable once, and in each reading if clients differ. */
export function addressesOf(servers: readonly Json[]): ServerAddress[] {
  const found = servers.flatMap((server) => {
    if (typeof server === "string") return readings(server, []);
    if (!isObject(server)) return [];
    const schemes = Array.isArray(server.schemes)
      ? server.schemes.filter((each) => typeof each === "string")
      : [];
    return filled(server).urls.flatMap((url) => readings(url, schemes));
  });
  return eachOnce(found);
}

/** Gives each of some addresses once. */
export function eachOnce(addresses: readonly ServerAddress[]): ServerAddress[] {
  return [...new Map(addresses.map((each) => [each.text, each])).values()];
}

// Where a document is served by itself, its own address has the scheme; a variable may stand for any.
const closedSchemes = ["", "https", "wss", "ftps", "sftp"];

/** Gives the hosts that some addresses reach without encryption. */
export function openHosts(addresses: readonly ServerAddress[]): Set<string> {
  return new Set(addresses.filter(({ scheme }) => !closedSchemes.includes(scheme)).map(({ host }) => host));
}

/** Gives the addresses that one URL is read as. */
export function addressesIn(url: string): ServerAddress[] {
  return addressesOf([url]);
}

/** The URLs that a server stands for. */
interface FilledServer {
  readonly urls: readonly string[];
  /** What it takes to fill them in, in characters; infinite where one is left out or as it is written for that. */
  readonly work: number;
}

// Values may name further variables, so a few of them may make a URL of any length.
const longestUrl = 10_000;
const mostWork = 16 * 1024 * 1024;

function filled(server: JsonObject): FilledServer {
  const url = typeof server.url === "string" ? server.url : "";
  const variables = isObject(server.variables) ? Object.entries(server.variables) : [];
  if (variables.length === 0) return { urls: [url], work: 0 };
  let more = 0;
  const put = (text: string, name: string, value: string | undefined): string => {
    if (value === undefined) return text;
    const parts = text.split(`{${name}}`);
    const isTooLong = parts.length > 1 && text.length + (parts.length - 1) * value.length > longestUrl;
    if (isTooLong) more = Infinity;
    return isTooLong ? text : parts.join(value);
  };
  const putDefaults = (text: string, some = variables, isLeft = isNone): string =>
    some.reduce(
      (whole, [name, variable]) =>
        isLeft(whole, name)
          ? whole
          : put(whole, name, isObject(variable) ? textFor(variable.default) : undefined),
      text,
    );
  const first = putDefaults(url);
  const [listed, others] = [variables.filter(isListed), variables.filter((each) => !isListed(each))];
  const count = variables.reduce((sum, [, variable]) => sum + Math.max(1, valuesOf(variable).length), 0);
  const forms = others.length > 0 ? 2 : 1;
  const work = forms * count * (variables.length * Math.max(url.length, first.length) + urlCost);
  if (work > mostWork) return { urls: [first], work: Infinity };
  const filledIn = (text: string): string[] => [
    putDefaults(text),
    ...(others.length > 0 ? [putDefaults(putDefaults(text, listed), others, isInHost)] : []),
  ];
  const texts = [
    url,
    ...listed.flatMap(([name, variable]) => valuesOf(variable).map((value) => put(url, name, value))),
  ];
  return { urls: [...new Set(texts.flatMap(filledIn))], work: work + more };
}

function isNone(_url: string, _name: string): boolean {
  return false;
}

// Without a list of values, a variable may have any.
function isListed([, variable]: readonly [string, Json]): boolean {
  return valuesOf(variable).length > 0;
}

// To read one as clients do.
const urlCost = 500;

function valuesOf(variable: Json): readonly string[] {
  const values = isObject(variable) && Array.isArray(variable.enum) ? variable.enum : [];
  return values.flatMap((value) => textFor(value) ?? []);
}

// A host may be written as a number.
function textFor(value: Json | undefined): string | undefined {
  if (typeof value === "object" || value === undefined) return undefined;
  return String(value);
}

// To compare one with the others of its operation, and to say so of each.
const comparisonCost = 256;

/** Gives the work of reading addresses for each of some operations, in characters; infinite if it cannot be told. */
export function addressWork(servers: Json | undefined, operations = 1): number {
  return listOf(servers).reduce((sum: number, server) => {
    const said = isObject(server) ? server : {};
    const { urls, work } = filled(said);
    const count = urls.length * (listOf(said.schemes).length || 1);
    return sum + work + count * operations * comparisonCost;
  }, 0);
}

// What ends a host, or begins an address without one.
const behindHost = /^(?:[^/?#]*\/\/)?[^/?#]*[^/?#:][/?#]|^\/(?![/\\])|^[?#]/;

// The host and what is before it, which chooses it as well.
function isInHost(url: string, name: string): boolean {
  const place = url.indexOf(`{${name}}`);
  return place !== -1 && !behindHost.test(url.slice(0, place));
}

// What browsers read, and what RFC 3986 says: they differ after a backslash, which only the first takes for a slash.
function readings(url: string, schemes: readonly string[]): ServerAddress[] {
  const found = [asUrlStandard(url), asRfc(url)];
  const all = found.flatMap((each) => each ?? []);
  const [first] = all;
  if (first === undefined) return relative(url, schemes);
  const isRelative = all.every(({ host }) => host === "");
  return isRelative ? relative(url, schemes) : all.filter(({ host }) => host !== "");
}

function relative(url: string, schemes: readonly string[]): ServerAddress[] {
  const path = trimmed(url) || "/";
  if (schemes.length === 0) return [{ scheme: "", host: "", text: path }];
  return schemes.map((scheme) => ({ scheme: scheme.toLowerCase(), host: "", text: `${scheme}: ${path}` }));
}

function asUrlStandard(url: string): ServerAddress | undefined {
  const isWhole = URL.canParse(url);
  if (!isWhole && !URL.canParse(url, unknownPlace)) return undefined;
  const { protocol, host, pathname, search, hash } = isWhole ? new URL(url) : new URL(url, unknownPlace);
  if (host === unknownHost || host === "") return { scheme: "", host: "", text: url };
  return addressWith(isWhole ? protocol.slice(0, -1) : "", host, `${pathname}${search}${hash}`, url);
}

// The scheme may be a variable.
const rfc = /^(?:([A-Za-z][A-Za-z0-9+.-]*|\{[^{}/?#]*\}):)?(?:\/\/([^/?#]*))?(.*)$/s;
// What a variable stands for may begin with a host.
const openHost = /^[^/?#:]*\{[^{}/?#]*\}[^/?#]*/;

function asRfc(url: string): ServerAddress {
  const [, scheme = "", authority = "", path = ""] = rfc.exec(url.trim()) ?? [];
  const host = authority.slice(authority.lastIndexOf("@") + 1).toLowerCase();
  if (host === "") return { scheme: "", host: openHost.exec(url.trim())?.[0] ?? "", text: trimmed(url) };
  return addressWith(scheme.toLowerCase(), inPunycode(host, scheme), path, url);
}

function inPunycode(host: string, scheme: string): string {
  const url = `${scheme === "http" ? "http" : "https"}://${host}/`;
  if (/[\\@/?#\s]/.test(host) || !URL.canParse(url)) return host;
  return new URL(url).host;
}

function addressWith(scheme: string, host: string, path: string, url: string): ServerAddress {
  const text = trimmed(`${scheme === "" ? "" : `${scheme}:`}//${host}${path}`);
  const [, , authority = ""] = rfc.exec(url.trim()) ?? [];
  const written = authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, "");
  const isAscii = /^[\u0020-\u007E]*$/.test(written);
  return { scheme, host, text, ...(!isAscii && host.includes("xn--") && { written }) };
}

function trimmed(text: string): string {
  return text.replace(/\/+$/, "");
}
