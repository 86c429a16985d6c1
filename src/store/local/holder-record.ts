import { contentDigest } from "../../digest.js";
import type { Holder } from "../../core/state/lock-store.js";
import { isCertainlyDead, parseRecord } from "./process-record.js";

/** Reads who holds a store. */
export function holderOf(text: string): Holder;
export function holderOf(text: string | null): Holder | null;
export function holderOf(text: string | null): Holder | null {
  if (text === null) return null;
  const record = parseRecord(text);
  if (record !== undefined) {
    const { nonce, pid, host, since, seen } = record;
    const life = isCertainlyDead(record) ? "dead" : "alive";
    return { nonce, pid, host, since, ...(seen !== undefined && { seen }), life };
  }
  return unreadableHolder(text);
}

/**
 * Makes the holder of a text that cannot be read, so this code has not written it: it counts as alive whatever its
 * age, and gets a nonce derived from the text, with which a person can remove it.
 */
export function unreadableHolder(text: string): Holder {
  const nonce = `unreadable-${contentDigest(text).slice(0, 16)}`;
  return { nonce, pid: 0, host: "unknown", since: "an unknown time", life: "alive" };
}

/** Gives a holder's text with a sign of life at this moment; one that cannot be read stays as it is. */
export function renewed(text: string | null): string | null {
  const record = text === null ? undefined : parseRecord(text);
  return record ? `${JSON.stringify({ ...record, seen: new Date().toISOString() })}\n` : text;
}
