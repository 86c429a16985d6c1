import { StoreFailedError } from "../../core/state/lock-store.js";
import type { Answer, Fault } from "../../service/fault.js";
import { parseRetryAfter } from "../../service/retry.js";
import { largestState } from "./http-line.js";

/** Why a request was not done, or may not have been. */
export interface Refusal {
  readonly failure: StoreFailedError;
  /** Whether the same request may be done later. */
  readonly isPassing: boolean;
  /** Whether the server does not accept these credentials, which may have been for one job of a CI alone. */
  readonly isOfCredentials: boolean;
  /** How long the server asks to wait before the request is made again, in milliseconds; 0 if it does not say. */
  readonly wait: number;
}

/** A server that asks for longer is asked again after this time, in milliseconds. */
const longestWait = 30_000;

/** Reads how long a server asks to wait, in milliseconds; 0 if it does not say. */
function askedWait(answer: Answer | Fault): number {
  const asked = "code" in answer ? undefined : answer.headers["retry-after"];
  return Math.min(parseRetryAfter(asked, Date.now()) ?? 0, longestWait);
}

/** What to do where a state is too large for a server. */
export const largeHint = "use the store `git`, or several workspaces";

/** Gives how the refusals of one answer, or of a fault, are made: from why, a hint, and whether it may pass. */
export function refusing(
  answer: Answer | Fault,
  doing: string,
  name: string,
): (why: string, hint?: string, isPassing?: boolean) => Refusal {
  const status = "code" in answer ? undefined : answer.status;
  const isOfCredentials = status === 401 || status === 403;
  return (why, hint, isPassing = false) => {
    const failure = new StoreFailedError(`${name} could not be ${doing}: ${why}`, hint);
    return { failure, isPassing, isOfCredentials, wait: askedWait(answer) };
  };
}

/** Refuses the text of a state that is larger than a server takes; undefined if it is not. */
export function refuseLarge(body: string, name: string): Refusal | undefined {
  const size = Buffer.byteLength(body);
  if (size <= largestState) return undefined;
  const message = `the state for ${name} has ${Math.ceil(size / 1_000_000)} MB, and the limit is 25 MB`;
  const failure = new StoreFailedError(message, largeHint);
  return { failure, isPassing: false, isOfCredentials: false, wait: 0 };
}

/** Gives the time before the next attempt, in milliseconds: as long as the server asks, but not beyond the end of the patience. */
export function pauseOf({ wait }: Refusal, attempt: number, end: number): number {
  const backoff = Math.min(200 * 2 ** attempt, 5000) * (0.5 + Math.random() / 2);
  return Math.min(Math.max(wait, backoff), Math.max(0, end - Date.now()));
}

/** Whether a request that ended with a fault may succeed later: not if a certificate or a proxy refuses it. */
export function isPassingFault(code: string): boolean {
  return !/CERT|SIGNATURE|ISSUER|TLS|SSL|^PROXY_4/.test(code);
}

/** Whether a fault means that the server's certificate is not trusted. */
export function isOfCertificate(code: string): boolean {
  return /CERT|SIGNATURE|ISSUER/.test(code);
}
