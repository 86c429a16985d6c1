import { setTimeout as sleep } from "node:timers/promises";
import { Elapsed } from "./elapsed.js";

/** An attempt that was refused, and what that says of the next. */
export interface Chance {
  readonly ok: false;
  /** Whether the same may be done later. */
  readonly isPassing: boolean;
  /** How long to wait before the next attempt at least, in milliseconds; 0 if that is not said. */
  readonly wait?: number;
}

/** What became of an attempt. */
export type Tried<Value, Why extends Chance> = { readonly ok: true; readonly value: Value } | Why;

/** When to give up: after so many milliseconds, or so many attempts. */
export interface Patience {
  readonly milliseconds?: number;
  readonly attempts?: number;
}

/** Makes an attempt again as long as its refusal may pass; gives the last. */
export async function patiently<Value, Why extends Chance>(
  { milliseconds = Number.POSITIVE_INFINITY, attempts = Number.POSITIVE_INFINITY }: Patience,
  attempt: (number: number) => Promise<Tried<Value, Why>>,
): Promise<Tried<Value, Why>> {
  const waited = new Elapsed();
  for (let number = 1; ; number++) {
    const tried = await attempt(number);
    if (tried.ok || !tried.isPassing || number >= attempts) return tried;
    const left = milliseconds - waited.milliseconds;
    if (left <= 0) return tried;
    const backoff = Math.min(200 * 2 ** number, 5000) * (0.5 + Math.random() / 2);
    await sleep(Math.min(Math.max(tried.wait ?? 0, backoff), left));
  }
}

/** Makes an attempt patiently, and gives its value; throws the failure of the last. */
export async function insist<Value, Why extends Chance & { readonly failure: Error }>(
  patience: Patience,
  attempt: (number: number) => Promise<Tried<Value, Why>>,
): Promise<Value> {
  const tried = await patiently(patience, attempt);
  if (!tried.ok) throw tried.failure;
  return tried.value;
}
