import type { Failure } from "../core/observation/service.js";
import type { Destination } from "./address.js";
import { unlessFailing } from "../disk/unless-failing.js";

/** The head of an answer; header names in lower case. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer that arrived whole, whatever its status; its text is undefined if it is not UTF-8. */
export interface Answer extends AnswerHead {
  readonly ok: true;
  readonly text: string | undefined;
}

/** Why there is no complete answer, as a code of the system, of TLS or of the parser; contains nothing of the request. */
export interface Fault {
  readonly ok: false;
  /** Such as `ECONNRESET`; `OVERSIZE` for an answer above the limit, EARLY or EXTRA; `PROXY_` and a code for a proxy's failure. */
  readonly code: string;
  /** The length in milliseconds of a time-out set by agentform. */
  readonly waited?: number;
  readonly mayHaveArrived: boolean;
  /** The head of the answer, if it arrived. */
  readonly head?: AnswerHead;
}

/** The code of an answer that arrived before its request was written. */
export const EARLY = "EARLY";

/** The code of an answer on a connection that delivered more than one. */
export const EXTRA = "EXTRA";

const PROXY = "PROXY_";
const lookup = "the host name could not be resolved";
const reset = "the connection was closed before an answer";
const wholeAnswers: Readonly<Record<string, string>> = {
  OVERSIZE: "the answer has more than 10 MB",
  [EARLY]: "an answer came before the request was sent",
  [EXTRA]: "more than one answer came, so this one may belong to a different request",
};
const messages: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: lookup,
  EAI_AGAIN: lookup,
  EAI_FAIL: lookup,
  ECONNRESET: reset,
  EPIPE: reset,
  ECONNABORTED: reset,
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "the connection timed out",
  [EARLY]: "data came before the request was sent",
};

/** Whether a code is that of a server that asks for a certificate of this side, and has none that it accepts. */
export function refusesCertificate(code: string): boolean {
  return /^ERR_SSL_\w+_ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA)$/.test(code);
}

/** Describes a fault for people. */
export function describeFault(fault: Fault): string {
  const whole = wholeAnswers[fault.code];
  if (whole !== undefined) return whole;
  if (fault.head) return `only part of the answer arrived (HTTP ${fault.head.status})`;
  const throughProxy = fault.code.startsWith(PROXY);
  if (fault.waited !== undefined) {
    const connection = throughProxy ? "no connection through the proxy" : "no connection";
    return `${fault.mayHaveArrived ? "no answer" : connection} within ${fault.waited / 1000} s`;
  }
  return throughProxy ? describeProxy(fault.code.slice(PROXY.length)) : describeSystem(fault.code);
}

function describeProxy(code: string): string {
  if (!/^\d+$/.test(code)) return `the proxy: ${describeSystem(code)}`;
  const advice = code === "407" ? "; it needs a user name and password in its URL" : "";
  return `the proxy refused the connection (HTTP ${code}${advice})`;
}

function describeSystem(code: string): string {
  return messages[code] ?? describeCode(code);
}

function describeCode(code: string): string {
  const known = /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : "";
  if (refusesCertificate(code)) return "the server asks for a client certificate that it accepts";
  if (code.startsWith("HPE_")) return `the answer is not valid HTTP${known}`;
  return /CERT|TLS|SSL|SIGNATURE|^EPROTO$/.test(code)
    ? `TLS failed${known}`
    : `the connection failed${known}`;
}

/** The reason why other requests would fail in the same way as one that was not sent. */
export interface CommonCause {
  readonly common: NonNullable<Failure["common"]>;
  readonly hint: string;
  /** Whether it cannot succeed before a person has done something. */
  readonly isLasting: boolean;
}

const IN_A_ROW = 3;
const certificate = /^(?:UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|INVALID_CA$|ERR_TLS_CERT_)/;
const unreachable = /^(?:ENOTFOUND|EAI_\w+|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;

/** Finds the cause that a connection fault shares with other requests; undefined if it may be chance. */
export function commonCause(
  { code, waited }: Fault,
  { url, setting }: Destination,
  proxyVariable?: string,
): CommonCause | undefined {
  const address = `check \`${setting}\` (${url.origin})`;
  const proxy = proxyVariable === undefined ? "the proxy's address" : `\`${proxyVariable}\``;
  if (code.startsWith(PROXY)) return proxyCause(code.slice(PROXY.length), url, address, proxy);
  if (certificate.test(code)) return certificateCause(code, url.host, address);
  if (unreachable.test(code) || waited !== undefined)
    return passing(`${url.host} cannot be reached`, address);
  if (refusesCertificate(code)) {
    return lasting(`${url.host} asks for a client certificate`, `use an address that needs none: ${address}`);
  }
  if (code === "EPROTO") return passing(`${url.host} does not answer with TLS`, address);
  return undefined;
}

function proxyCause(code: string, { host }: URL, address: string, proxy: string): CommonCause {
  if (code === "407") {
    return lasting(
      "the proxy refuses the user name or password",
      `set or correct the user name and password in ${proxy}`,
    );
  }
  if (certificate.test(code)) return certificateCause(code, "the proxy", `check ${proxy}`);
  return /^\d+$|^TIMEOUT$/.test(code)
    ? passing(`the proxy cannot connect to ${host}`, `${address} and ${proxy}`)
    : passing("the proxy cannot be reached", `check ${proxy}`);
}

function certificateCause(code: string, whose: string, address: string): CommonCause {
  const renew = renewHint(code);
  if (renew !== undefined) return lasting(`the certificate of ${whose} is not valid at this time`, renew);
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return lasting(`the certificate of ${whose} is for another name`, address);
  }
  return lasting(
    `the certificate of ${whose} is not trusted`,
    "pass `--ca-file FILE` with the certificate of the authority that issued it",
  );
}

/** What to do about a certificate that is not valid at this time; undefined for any other fault. */
export function renewHint(code: string): string | undefined {
  const isOfTime = code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID";
  return isOfTime ? "renew the certificate, or correct this machine's clock" : undefined;
}

function lasting(why: string, hint: string): CommonCause {
  return { ...passing(why, hint), isLasting: true };
}

function passing(why: string, hint: string): CommonCause {
  return { common: { why: `${why}: ${hint}`, after: IN_A_ROW }, hint, isLasting: false };
}

/** Gives the headers of an answer as texts. */
export function plainHeaders(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Gives the text of an answer; undefined if it is not UTF-8. */
export function decodeBody(body: Buffer): string | undefined {
  return unlessFailing(() => utf8.decode(body));
}

/** Gives the code of what a request threw; empty where it has none. The error itself knows the request, with its credentials. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
