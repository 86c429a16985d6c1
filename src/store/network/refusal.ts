import { unlockCommand } from "../../core/state/state-choice.js";
import { bare, say } from "../../core/finding/said.js";
import { StoreFailedError } from "../../core/state/lock-store.js";
import { describeFault, renewHint, type Answer, type Fault } from "../../service/fault.js";
import type { Chance } from "../medium/patience.js";
import { parseRetryAfter } from "../../service/retry.js";
import { largestState } from "./http-line.js";

/** Why a request was not done, or may not have been. */
export interface RefusedRequest extends Chance {
  readonly failure: StoreFailedError;
  /** Whether what was to be replaced is not there any more. */
  readonly isChanged?: boolean;
  /** Whether the server does not accept these credentials, which may have been for one job of a CI alone. */
  readonly isOfCredentials: boolean;
}

/** What a request was for, as messages say it. */
export type Doing = "read" | "written" | "taken" | "locked" | "unlocked" | "probed" | "listed";

/** A server that asks for longer is asked again after this time, in milliseconds. */
const longestWait = 30_000;

/** Reads how long a server asks to wait, in milliseconds; 0 if it does not say. */
function askedWait(answer: Answer | Fault): number {
  const asked = answer.ok ? answer.headers["retry-after"] : undefined;
  return Math.min(parseRetryAfter(asked, Date.now()) ?? 0, longestWait);
}

/** What to do where a state is too large for a server. */
export const largeHint = "use the store `git`, or several workspaces";

/** Gives how the refusals of one answer, or of a fault, are made: from why, a hint, and whether it may pass. */
export function refusing(
  answer: Answer | Fault,
  doing: Doing,
  name: string,
): (why: string, hint?: string, isPassing?: boolean) => RefusedRequest {
  const status = answer.ok ? answer.status : undefined;
  const isOfCredentials = status === 401 || status === 403;
  const otherwise = answer.ok
    ? "the log of the server says more; run the command again once it answers"
    : "check the address, the network and the proxy between this machine and the server";
  return (why, hint, isPassing = false) => {
    const reason = bare({ reason: why, ...(status !== undefined && { status }) }, why);
    const failure = new StoreFailedError(
      say`${bare({ lock: name })} could not be ${doing}: ${reason}`,
      hint ?? otherwise,
    );
    return { ok: false, failure, isPassing, isOfCredentials, wait: askedWait(answer) };
  };
}

/** Adds to a failure how a store is unlocked that this process may hold all the same. */
export function mayBeHeld(
  { said, hint }: StoreFailedError,
  nonce: string,
  { environment = null }: { readonly environment?: string | null },
): StoreFailedError {
  const unlock = unlockCommand(nonce, { environment });
  return new StoreFailedError(
    said,
    `${hint}; it may be held by this process all the same: then \`${unlock}\``,
  );
}

/** Refuses the text of a state that is larger than a server takes; undefined if it is not. */
export function refuseLarge(body: string, name: string): RefusedRequest | undefined {
  const size = Buffer.byteLength(body);
  if (size <= largestState) return undefined;
  const count = `${Math.ceil(size / 1_000_000)} MB`;
  const limit = bare({ limit: largestState }, "25 MB");
  const message = say`the state for ${bare({ lock: name })} has ${bare({ size }, count)}, and the limit is ${limit}`;
  const failure = new StoreFailedError(message, largeHint);
  return { ok: false, failure, isPassing: false, isOfCredentials: false };
}

/** Whether an answer of any status is a login's or proxy's page, or an error document of S3. */
export function isPage({ text = "" }: Answer): boolean {
  return /^\s*</.test(text);
}

/** Whether a write was done, or a lock given. */
export function isFine(answer: Answer | Fault): answer is Answer {
  return answer.ok && [200, 201, 204].includes(answer.status) && !isPage(answer);
}

/** Explains why no answer came; of a certificate that is not trusted, the hint says how it is named. */
export function refuseFault(fault: Fault, doing: Doing, name: string, trustHint: string): RefusedRequest {
  const refuse = refusing(fault, doing, name);
  if (fault.code === "OVERSIZE") return refuse("the answer is larger than 25 MB", largeHint);
  const hint = /CERT|SIGNATURE|ISSUER/.test(fault.code) ? (renewHint(fault.code) ?? trustHint) : undefined;
  // It may succeed later, unless a certificate or a proxy refuses it.
  const isPassing = !/CERT|SIGNATURE|ISSUER|TLS|SSL|^PROXY_4/.test(fault.code);
  return refuse(describeFault(fault), hint, isPassing);
}
