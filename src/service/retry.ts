import { setTimeout } from "node:timers/promises";

/** How often a request is repeated, and the waits between; times in milliseconds. */
export interface Retry {
  /** The maximum number of tries of one request. */
  readonly limit: number;
  readonly baseDelay: number;
  readonly maxDelay: number;
}

export const defaultRetry: Retry = { limit: 5, baseDelay: 500, maxDelay: 30_000 };

const LONGEST_RETRY_AFTER = 120_000;

/** Gives the wait in milliseconds after a failed try, the first being 1: full jitter below a limit that doubles. */
export function backoff(tried: number, retry: Retry, random: () => number): number {
  return random() * Math.min(retry.maxDelay, retry.baseDelay * 2 ** (tried - 1));
}

/** Reads a Retry-After header, seconds or an HTTP date, as milliseconds from now, 120 s at most; undefined if it is neither. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : dateOf(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_RETRY_AFTER);
}

// Date.parse accepts much that is not a date, such as "-5", so the form is checked first.
function dateOf(text: string): number {
  return /^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
}

/** Waits some milliseconds, or until the signal is aborted; never throws. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch {
    // The signal only ends the wait.
  }
}
