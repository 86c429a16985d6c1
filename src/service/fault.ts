/** The head of an answer; header names in lower case. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A complete answer; its text is undefined if it is not UTF-8. */
export interface Answer extends AnswerHead {
  readonly text: string | undefined;
}

/** Why there is no complete answer, as a code of the system, of TLS or of the parser; contains nothing of the request. */
export interface Fault {
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
  OVERSIZE: "the answer is too large",
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
