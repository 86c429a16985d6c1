import { renderLock, type Lock } from "../../src/core/state/lock.js";

/** Gives the text of a lock, which must be one that a string can hold. */
export function lockText(lock: Lock): string {
  return renderLock(lock);
}

/** Gives what a store has of a lock or journal as one string, empty for nothing. */
export function textOf(text: string | null): string {
  return text === null ? "" : text.slice(0, text.length);
}
