import type { Finding } from "./diagnostic.js";

/** A value, or why there is none. */
export type Checked<Value> = ({ readonly ok: true } & Value) | Refusal;

/** Why there is no value; with notes among the errors. */
export interface Refusal {
  readonly ok: false;
  readonly problems: readonly Finding[];
}

/** Makes the result of what cannot be done. */
export function refused(problems: readonly Finding[]): Refusal {
  return { ok: false, problems };
}
