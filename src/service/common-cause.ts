import type { Failure } from "../core/observation/service.js";
import type { Destination } from "./address.js";
import { refusesCertificate, type Fault } from "./fault.js";

/** The reason why other requests would fail in the same way as one that was not sent. */
export interface CommonCause {
  readonly common: NonNullable<Failure["common"]>;
  readonly hint: string;
  /** Whether it cannot succeed before a person has done something. */
  readonly isLasting: boolean;
}

const IN_A_ROW = 3;
const PROXY = "PROXY_";
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
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") {
    return lasting(
      `the certificate of ${whose} is not valid at this time`,
      "renew it, or correct this machine's clock",
    );
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return lasting(`the certificate of ${whose} is for another name`, address);
  }
  return lasting(
    `the certificate of ${whose} is not trusted`,
    "pass `--ca-file FILE` with the certificate of the authority that issued it",
  );
}

function lasting(why: string, hint: string): CommonCause {
  return { ...passing(why, hint), isLasting: true };
}

function passing(why: string, hint: string): CommonCause {
  return { common: { why: `${why}: ${hint}`, after: IN_A_ROW }, hint, isLasting: false };
}
